package transcript

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/words"
)

// Told returns what a text says beyond what git ltm and the client put into it: our blocks and theirs are
// taken out. What follows a mark of ours that is never closed goes too, and what comes before one that was
// never opened.
func Told(text string) string {
	if strings.Contains(text, "<") {
		text = withoutBlocks(text)
	}
	if strings.Contains(text, "ltm") {
		text = footer().ReplaceAllString(withoutCompact(text), "")
	}
	return text
}

// withoutBlocks leaves a line end in the place of a block, so that what stood around it never becomes a mark.
func withoutBlocks(text string) string {
	kept := make([]byte, 0, len(text))
	var open []string // what is known never to be closed
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			return string(append(kept, text...))
		}
		kept, text = append(kept, text[:i]...), text[i:]
		name, closing := tagName(text)
		name = family(name)
		rest, closed := "", false
		if !closing && (isOurs(name) || phrases.Has("harness", name)) && !slices.Contains(open, name) {
			if rest, closed = afterBlock(text, name); !closed {
				open = append(open, name)
			}
		}
		switch {
		case isOurs(name) && closing:
			kept, text = kept[:0], afterTag(text)
		case isOurs(name):
			kept, text = append(withoutHeading(kept), '\n'), rest
		case closed:
			kept, text = append(kept, '\n'), rest
		default:
			kept, text = append(kept, '<'), text[1:]
		}
	}
}

// tagName is the name of the tag that a text begins with, in small letters; empty for none.
func tagName(text string) (name string, closing bool) {
	rest := text[1:]
	rest, closing = strings.CutPrefix(rest, "/")
	end := 0
	for end < len(rest) && end < 64 && isNameByte(rest[end]) {
		end++
	}
	return strings.ToLower(rest[:end]), closing
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-' || c == '_' || c == ':'
}

func isOurs(name string) bool { return strings.HasPrefix(name, "ltm-") }

// family is the name that a mark is closed by. Those of Qwen Code count as one, so that few names are looked
// for.
func family(name string) string {
	if strings.HasPrefix(name, "qwen:") {
		return "qwen:"
	}
	return name
}

// afterTag is what follows the tag that a text begins with. One that is not ended ends with its line, or
// where the next begins.
func afterTag(text string) string {
	end := strings.IndexAny(text[1:], "<>\n") + 1
	switch {
	case end == 0:
		return ""
	case text[end] == '>':
		end++
	}
	return text[end:]
}

// afterBlock is what follows the block that a text begins with, if it is closed.
func afterBlock(text, name string) (rest string, closed bool) {
	for i := 1; ; i++ {
		next := strings.Index(text[i:], "</")
		if next < 0 {
			return "", false
		}
		i += next
		if found, _ := tagName(text[i:]); family(found) == name {
			return afterTag(text[i:]), true
		}
	}
}

// warned begins what git ltm says of a call that meets a known dead end.
const warned = "git ltm: this meets "

// HeldBack tells whether what came of a call is that git ltm held it back, so that it neither failed nor was
// refused by a person.
func HeldBack(answer string) bool {
	_, said, found := strings.Cut(answer, warned)
	_, said, held := strings.Cut(said, " The call was held back,")
	return found && held && strings.Contains(said, "<ltm-warning nonce=")
}

// farthestHeading is how far above a block its heading may stand.
const farthestHeading = 4 << 10

// withoutHeading takes out the words of git ltm that introduce a block, from their heading on.
func withoutHeading(before []byte) []byte {
	far := max(0, len(before)-farthestHeading)
	near := before[far:]
	for bytes.Contains(near, []byte("git ltm")) {
		named := bytes.LastIndex(near, []byte("git ltm"))
		start := bytes.LastIndexByte(near[:named], '\n') + 1
		if bytes.HasPrefix(near[named:], []byte(warned)) { // A host may say before it that a hook said it.
			return before[:far+named]
		}
		if bytes.HasPrefix(near[start:], []byte("# ")) {
			return before[:far+start]
		}
		near = near[:start]
	}
	return before
}

// footer finds a line below a block that says how much was left out.
var footer = words.Compiled(`(?m)^.* left out to fit the budget.*\n?`)

// withoutCompact takes out blocks in the compact form, which a line begins and a line ends.
func withoutCompact(text string) string {
	var kept []string
	inside := false
	for line := range strings.Lines(text) {
		switch m := compactMark().FindStringSubmatch(line); {
		case m != nil && m[1] == "begin":
			inside = true
		case m != nil:
			if !inside {
				kept = nil
			}
			inside = false
		default:
			if !inside {
				kept = append(kept, line)
			}
		}
	}
	return strings.Join(kept, "")
}

// compactMark finds a line that begins or ends a block in the compact form.
var compactMark = words.Compiled(`^\s*ltm-\S*\s+\S+\s+(begin|end)(?:\s|$)`)

// isOwnTool says whether a tool is of our MCP server, under the name that any client gives it.
func isOwnTool(tool string) bool {
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		server, _, _ := strings.Cut(rest, "__")
		return server == "ltm" || strings.HasSuffix(server, "_ltm")
	}
	return slices.ContainsFunc([]string{"mcp_ltm_", "ltm_", "ltm-", "ltm__"}, func(prefix string) bool {
		return strings.HasPrefix(tool, prefix)
	})
}

// IsOwn tells whether a command line, or the tool that ran it, does nothing but call git ltm: what it says is
// the memory's own.
func IsOwn(tool, command string) bool { return isOwnTool(tool) || ownCommand(command) == wholly }

// ownership says how much of a command line is a call of git ltm.
type ownership int

const (
	foreign ownership = iota
	partly
	wholly
)

// ownCommand says how much of a command line calls git ltm. Commands that only hand text on count with those
// that they stand by.
func ownCommand(line string) ownership {
	if !strings.Contains(line, "ltm") {
		return foreign
	}
	ours, others := 0, 0
	for _, part := range simpleCommand().FindAllString(withoutHereTexts(line), -1) {
		switch words := strings.Fields(part); {
		case len(words) == 0 || phrases.Has("passing on", words[0]):
		case ownCall().MatchString(strings.Join(words, " ")):
			ours++
		default:
			others++
		}
	}
	switch {
	case ours == 0:
		return foreign
	case others == 0:
		return wholly
	default:
		return partly
	}
}

// simpleCommand finds what a shell would read as one command: what stands between signs that part commands,
// with its quotes.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var simpleCommand = words.Compiled("(?s)(?:'[^']*'|\"(?:\\\\.|[^\"\\\\])*\"|\\\\.|[^;&|\n()`'\"\\\\])+")

// withoutHereTexts takes out the lines of here-documents.
func withoutHereTexts(line string) string {
	var kept strings.Builder
	end := ""
	for part := range strings.Lines(line) {
		switch {
		case end != "" && strings.TrimSpace(part) == end:
			end = ""
		case end == "":
			kept.WriteString(part)
			if _, word, ok := strings.Cut(part, "<<"); ok {
				word, _, _ = strings.Cut(strings.TrimLeft(word, "- \t"), " ")
				end = strings.Trim(word, "\"'\n;|&)")
			}
		}
	}
	return kept.String()
}

// ownCall finds a call of git ltm in one command, of which single blanks part the words: behind variables that
// are set for it, and options of git.
var ownCall = words.Compiled(`^(?:\S*=\S* )*["'$]*(?:\S*/)?(?:git-ltm["']?(?: |$)|git["']? (?:-[cC] \S+ |-\S+ )*["']?ltm["']?(?: |$))`)
