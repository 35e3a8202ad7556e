package command

import (
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// TrustText writes what counts for a person.
func TrustText(s TrustState) string {
	var b strings.Builder
	for _, l := range s.Lists {
		fmt.Fprintf(&b, "%s (%s):\n", l.Name, l.Place)
		if len(l.Keys) == 0 {
			b.WriteString("  no key\n")
		}
		for _, k := range l.Keys {
			fmt.Fprintf(&b, "  %s  %s  %s", k.Fingerprint, k.Principals, k.Detail)
			if k.Revoked != "" {
				fmt.Fprintf(&b, "  TAKEN BACK by %s", k.Revoked)
			}
			b.WriteByte('\n')
		}
	}
	if s.Remote != "" {
		fmt.Fprintf(&b,
			"%s (ltm.trust is remote): agents are shown what it delivers unsigned, labelled, in the name of\n", s.Remote)
		for _, name := range s.Names {
			fmt.Fprintf(&b, "  %s\n", name)
		}
		if len(s.Names) == 0 {
			b.WriteString("  nobody: who committed to its default branch signs, or is not known yet; 'git ltm verify' says more\n")
		}
	}
	for _, name := range s.Muted {
		fmt.Fprintf(&b, "muted: %s\n", name)
	}
	switch {
	case len(s.Stores)+len(s.Signed) == 0:
		b.WriteString("store: no id yet; the first signature makes one\n")
	case len(s.Stores) == 0:
		fmt.Fprintf(&b, "store: none is accepted here; records here are signed for %s: git ltm verify\n",
			strings.Join(s.Signed, ", "))
	default:
		fmt.Fprintf(&b, "store: %s\n", strings.Join(s.Stores, " "))
	}
	return b.String()
}

// KeyAnswers are what lists have to say of the key that signed a record, behind the name that its signature
// states.
func KeyAnswers(lists []*trust.List, said audit.Testimony) (answers []string) {
	if said.Verdict.Key == "" {
		return nil
	}
	if name, _, _ := strings.Cut(said.Tagger, ">"); said.Tagger != "" {
		answers = append(answers, "signed as: "+name+"> (the signature says so; nobody checks the name)")
	}
	for _, l := range lists {
		answers = append(answers, l.Name+" "+keyAnswer(l, said.Verdict))
	}
	return answers
}

// keyAnswer says what a list has to say of a key.
func keyAnswer(l *trust.List, v sign.Verdict) string {
	if l.Revoked.Holds(v.Key) {
		return "takes the key back"
	}
	for _, k := range l.Keys() {
		if k.Fingerprint == v.Key {
			return "names the key for " + k.Principals + " (" + k.Detail + ")"
		}
	}
	if l.Name == trust.GitList && !strings.HasPrefix(v.Key, "SHA256:") {
		return "does not name the key itself; of OpenPGP and x509 keys gpg and gpgsm answer"
	}
	return "does not name the key"
}

// IsKeyType tells the first word of a public key of SSH.
func IsKeyType(word string) bool {
	return strings.HasPrefix(word, "ssh-") || strings.HasPrefix(word, "ecdsa-sha2-") ||
		strings.HasPrefix(word, "sk-")
}

// TestimoniesText writes testimonies for a person. Records of which the same is to be said stand above it, and
// each command that is for one of them is for all.
func TestimoniesText(all []Testimony) string {
	type group struct {
		heads, ids []string
	}
	var order []string
	groups := map[string]*group{}
	for _, t := range all {
		head, rest, _ := strings.Cut(testimonyText(t), "\n")
		id := string(t.ID)
		if same := strings.ReplaceAll(rest, " "+id, " \x00"); !strings.Contains(same, id) {
			rest = same
		}
		if groups[rest] == nil {
			groups[rest] = &group{}
			order = append(order, rest)
		}
		g := groups[rest]
		g.heads, g.ids = append(g.heads, head), append(g.ids, id)
	}
	var b strings.Builder
	for _, rest := range order {
		g := groups[rest]
		ids := strings.Join(g.ids[:min(len(g.ids), mostIDs)], " ")
		if len(g.ids) > mostIDs {
			ids += " ..."
		}
		rest = strings.ReplaceAll(rest, "trust add \x00", "trust add "+g.ids[0]) // One names the key of all.
		b.WriteString(strings.Join(g.heads, "\n") + "\n" + strings.ReplaceAll(rest, "\x00", ids))
	}
	return b.String()
}

// mostIDs is how many records a command names.
const mostIDs = 10

// testimonyText writes a testimony for a person.
func testimonyText(t Testimony) string {
	var b strings.Builder
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "    %-10s %s\n", label+":", text)
		}
	}
	fmt.Fprintf(&b, "%s  %-8s %s", t.ID, t.Standing, t.Kind)
	if t.Remote != "" {
		fmt.Fprintf(&b, " of remote %s", t.Remote)
	}
	b.WriteByte('\n')
	line("by", t.By)
	line("key", t.Key)
	line("why", t.Why)
	for _, x := range t.Endorsers {
		line("later", strings.TrimSpace(string(x.Standing)+" "+x.By)+": "+x.Why)
	}
	writeSessions(t, line)
	line("to change", t.Change)
	for _, answer := range t.Lists {
		fmt.Fprintf(&b, "    %s\n", answer)
	}
	return b.String()
}

// writeSessions writes what sessions get to see, and why, where that was not said yet.
func writeSessions(t Testimony, line func(label, text string)) {
	why := func(text string) string {
		if text == t.Why {
			return ""
		}
		return ": " + strings.TrimSuffix(text, ": "+t.Why)
	}
	switch {
	case t.Policy != "":
		line("sessions", "never read it"+why(t.Policy))
	case t.Unasked != "":
		text := "read it only when somebody asks, labelled UNVERIFIED"
		if t.Standing.Vouched() || !strings.HasSuffix(t.Unasked, t.Why) {
			text += why(t.Unasked)
		}
		line("sessions", text)
	case t.Claims != "":
		line("sessions", "are shown it, labelled: ltm.trust is remote, and somebody of the name "+t.Claims+
			" has committed to the default branch")
	}
	if t.Fails != t.Policy {
		line("fails", t.Fails)
	}
}

// OfStore says how a clone comes to know its store.
func OfStore(id string) string {
	return "if this is a clone of the project that it was signed in: git config --add ltm.store " +
		clean.Line(id)
}

// StoreLater is the store for which a key that counts signed a record later, where that does not count here;
// else nothing.
func StoreLater(said audit.Testimony) string {
	for _, x := range said.Endorsers {
		if x.Verdict.Standing == sign.Foreign {
			return x.Store
		}
	}
	return ""
}

// TrustsRemote is what 'git ltm setup --trust remote' does.
const TrustsRemote = "lets agents see what those wrote who committed to the default branch"

// ChangeUnsigned says how a record comes to count that was stored unsigned. Of several keys that signed it
// later nobody is told which to take.
func ChangeUnsigned(said audit.Testimony) string {
	unknown := 0
	for _, x := range said.Endorsers {
		if x.Verdict.Standing == sign.Unknown {
			unknown++
			said.Verdict.Key = x.Verdict.Key
		}
	}
	switch unknown {
	case 0:
		text := "its author, or whoever has read it, can sign it: git ltm sign " + string(said.ID)
		if said.Verdict.Standing == sign.Unsigned && strings.HasSuffix(said.Unasked, trust.NotSigned) {
			text += "; or git ltm setup --trust remote " + TrustsRemote
		}
		return text
	case 1:
		return reply.TrustKey(said.ID, said.Verdict.Key)
	default:
		return "if you know who holds one of the keys: git ltm trust add FILE, which holds it"
	}
}
