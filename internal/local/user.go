package local

import "path/filepath"

// UserStoreKey is the key of the configuration that says where the user-wide memory lies, in the place of [UserMemory].
const UserStoreKey = "ltm.userStore"

// UserMemory is where the user-wide memory lies unless the configuration says otherwise: among the data of the user. It is not ok
// where the environment does not say where these lie.
func UserMemory(getenv func(string) string) (path string, ok bool) {
	data := getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return "", false
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "git-ltm", "memory.git"), true
}
