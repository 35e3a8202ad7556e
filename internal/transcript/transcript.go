// Package transcript reads what sessions of agents left behind.
package transcript
