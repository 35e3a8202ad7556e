package setup

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/settings"
)

// isPlugin tells our plugin by the name under which agents list it.
func isPlugin(name string) bool { return name == "git-ltm" || strings.HasPrefix(name, "git-ltm@") }

// enabledPlugin looks for our plugin in settings of Claude's form. A later file counts more.
func enabledPlugin(paths ...string) string {
	on := map[string]string{}
	for _, path := range paths {
		f, err := settings.Read(path)
		if err != nil {
			continue
		}
		list, _, err := settings.Value(f.Text, "enabledPlugins")
		all, _ := list.(map[string]any)
		for name, value := range all {
			enabled, ok := value.(bool)
			switch {
			case err != nil || !ok || !isPlugin(name):
			case enabled:
				on[name] = name + " in " + path
			default:
				delete(on, name)
			}
		}
	}
	if len(on) == 0 {
		return ""
	}
	return on[slices.Min(slices.Collect(maps.Keys(on)))]
}
