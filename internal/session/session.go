// Package session says what a session of an agent is told at each moment, and keeps what it ran into.
package session
