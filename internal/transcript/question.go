package transcript

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// question is what an agent asked of the person.
type question struct {
	id, text, answer string
}

// questions reads what a call asks.
func questions(args gjson.Result) []question {
	if text := first(args, "question", "prompt", "message"); text != "" {
		return []question{{text: head(Told(text), mostPlan)}}
	}
	var all []question
	args.Get("questions").ForEach(func(_, v gjson.Result) bool {
		if text := head(Told(first(v, "question", "header")), mostLabel); text != "" && len(all) < mostParts {
			all = append(all, question{id: head(v.Get("id").String(), mostLabel), text: text})
		}
		return true
	})
	return all
}

// answered gives questions the answers of a value, whose members are named by the question, its id or its place.
func answered(asked []question, answers gjson.Result) []question {
	var all []question
	answers.ForEach(func(name, v gjson.Result) bool {
		q := question{text: head(Told(name.String()), mostLabel), answer: head(Told(answerText(v)), mostCommand)}
		for i, a := range asked {
			if name.String() == a.id || name.String() == strconv.Itoa(i) {
				q.text = a.text
			}
		}
		if q.answer != "" && len(all) < mostParts {
			all = append(all, q)
		}
		return true
	})
	return all
}

// answerText is one answer: a text, some texts, or a value that holds them.
func answerText(v gjson.Result) string {
	if v.IsObject() {
		v = v.Get("answers")
	}
	if !v.IsArray() {
		return v.String()
	}
	var texts []string
	for _, t := range v.Array() {
		texts = append(texts, t.String())
	}
	return strings.Join(texts, ", ")
}

// quoted reads pairs such as "question"="answer" out of a sentence.
func quoted(sentence string) []question {
	var all []question
	for len(all) < mostParts {
		_, rest, ok := strings.Cut(sentence, `"`)
		text, rest, ok2 := strings.Cut(rest, `"="`)
		answer, rest, ok3 := strings.Cut(rest, `"`)
		if !ok || !ok2 || !ok3 {
			break
		}
		all = append(all, question{text: head(Told(text), mostLabel), answer: head(Told(answer), mostCommand)})
		sentence = rest
	}
	return all
}
