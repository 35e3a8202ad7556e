package agent

// Holding is how a call of a tool is held back. There is no word for letting one through: that is for the
// person and the host.
type Holding string

// The ways to hold a call back.
const (
	Deny Holding = "deny" // the model reads why, and may call again
	Ask  Holding = "ask"  // the person is asked; where the host has no such question, as Deny
)

// Holds tells whether a host keeps a tool from running for what a hook says at an event, and hands the reason
// to its model. Each of these was seen to do so; of Cursor that is not known.
func (h Host) Holds(e Event) bool {
	switch h {
	case ClaudeCode, Codex, Copilot, Gemini, Qwen, OpenCode:
		return e == Tool
	default:
		return false
	}
}

// Listens tells whether any answer at an event does something in a host.
func (h Host) Listens(e Event) bool { return h.Hears(e) || h.Holds(e) }

// Hold writes the answer that holds a call back, with the reason that its model reads.
func (h Host) Hold(e Event, how Holding, reason string) ([]byte, error) {
	if reason == "" || !h.Holds(e) {
		return nil, nil
	}
	switch h {
	case Copilot:
		return h.encodeAnswer(e, object{nested: nested{Decides: Deny, Because: reason}})
	case Gemini, OpenCode:
		return h.encodeAnswer(e, object{Decision: string(Deny), Reason: reason})
	default:
		if how != Ask || h != ClaudeCode {
			how = Deny
		}
		return h.encodeAnswer(e, object{Specific: &nested{Event: "PreToolUse", Decides: how, Because: reason}})
	}
}
