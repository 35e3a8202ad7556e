// Package agent knows how agents talk to hooks: what they say of an event, and what they take for an answer.
package agent
