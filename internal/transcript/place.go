package transcript

import "time"

// Place is where a transcript lies.
type Place struct {
	Format   Format
	Path     string
	Modified time.Time
}

// Places returns the transcripts of sessions that worked in dir, newest first. What cannot be read counts as not there.
func Places(home string, getenv func(string) (string, bool), dir string) []Place {
	_, _, _ = home, getenv, dir
	return nil
}
