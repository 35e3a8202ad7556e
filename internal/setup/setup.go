// Package setup tells each agent of git ltm in the agent's own files, and takes that out again.
package setup
