package mcp

import (
	"context"
	"encoding/json"
)

// afterResume is what the prompt resume says behind the packet.
const afterResume = "\n" +
	"That is where an earlier session stopped. Check what it says against the code as it is now, tell me " +
	"in a few lines what you are going to do first, and then do it."

// prompt is what a person says with one word: hosts offer prompts as slash commands.
type prompt struct {
	name, title, about string
	argument, takes    string // its name and what it is; "" for none
	needed             bool
	text               string // what is said, with the argument behind it; "" for the packet to resume from
}

// allPrompts are all of them.
func allPrompts() []prompt {
	return []prompt{
		{
			name: "handoff", title: "Hand off to memory", about: "Write down where this session stops",
			text: "Write down where this session stops, so that another one can go on from there: call " +
				"the tool save of ltm once.\n\n" +
				"- goal: what the work is after, and how one sees that it is reached.\n" +
				"- next_step: the first action, concrete enough to start without asking.\n" +
				"- attempts: what was tried and did not work, with why; that is what the next session " +
				"would repeat.\n" +
				"- decisions: what was settled, with why; locked where it must not be reopened.\n" +
				"- constraints, open_questions and cites: only what the next session cannot see in the " +
				"code.\n\n" +
				"Write instructions with their reasons, not a log. No secrets, and no paths of this " +
				"machine. Then tell me the id.",
		},
		{
			name: "resume", title: "Resume from memory", about: "Go on where the last session stopped",
			argument: "id", takes: "Packet; default: the newest of this branch, else the nearest",
		},
		{
			name: "remember", title: "Remember this", about: "Store a fact, a decision, a pitfall or a task",
			argument: "text", takes: "What to remember", needed: true,
			text: "Store this with the tool note of ltm: one note for each thing, as an instruction with " +
				"its reason, of the kind that fits. If something is not to be done, give a match too. " +
				"Then tell me the ids. What to remember: ",
		},
		{
			name: "recall", title: "What do we know about this?", about: "Ask what earlier sessions learned",
			argument: "question", takes: "What to look for", needed: true,
			text: "Ask the tool recall of ltm, with query and with other words for the same thing in " +
				"also. Tell me in a few lines what is known, each with its id, who wrote it and how far " +
				"it is trusted, or that nothing is known. Do nothing else. What to look for: ",
		},
		{
			name: "memories", title: "List memories", about: "List what is stored, the newest first",
			argument: "filter", takes: "Kind, author or date",
			text: "Call the tool recall of ltm with filters alone (kinds: [packet, note, skip] where I " +
				"name none) and list what it returns, a line each, with the ids. Do nothing else. Only " +
				"these: ",
		},
		{
			name: "forget", title: "Forget this", about: "Retract what is wrong or not wanted",
			argument: "what", takes: "Id or words", needed: true,
			text: "Find it with the tool recall of ltm, show me the record and ask whether it is the " +
				"one. When I say yes, call the tool edit with do: rm and my reason. The text stays in " +
				"the repository: say that 'git ltm rm --purge ID' removes it for good. What to forget: ",
		},
	}
}

// listPrompts are the prompts as a client sees them.
func listPrompts() (all []body) {
	for _, p := range allPrompts() {
		out := body{"name": p.name, "title": p.title, "description": p.about}
		if p.argument != "" {
			out["arguments"] = []body{{"name": p.argument, "description": p.takes, "required": p.needed}}
		}
		all = append(all, out)
	}
	return all
}

// getPrompt answers with the text of a prompt.
func (c *call) getPrompt(ctx context.Context, params fields) (body, *fault) {
	for _, p := range allPrompts() {
		if p.name != params.textMember("name") {
			continue
		}
		given := params.objectMember("arguments").textMember(p.argument)
		a, err := c.runGuarded(ctx, func() (answer, error) {
			if p.text != "" {
				return answer{text: p.text + given}, nil
			}
			if given != "" {
				c.args, _ = json.Marshal(body{"id": given}) //nolint:errchkjson // A string.
			}
			a, err := c.inMemory(ctx, resumePacket)
			a.text += afterResume
			return a, err
		})
		if err != nil {
			return nil, faultOf(err, "")
		}
		return body{"messages": []body{{"role": "user", "content": textPart(a.text)}}}, nil
	}
	return nil, &fault{Code: codeParams, Message: "there is no prompt of that name; prompts/list names them"}
}
