package packet

import "fmt"

// Problem is one thing that is wrong with a record.
type Problem struct {
	// Path is the JSON pointer (RFC 6901) of the member in question, also of a
	// member that is missing. It is empty for the document as a whole. It is
	// safe to print: in a name, what cannot be printed is written as \uXXXX,
	// and a name of more than 64 characters is cut.
	Path string
	// Text says what is wrong in the words of a user. It names members and
	// limits, never a value, because a value may be a secret.
	Text string
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Text
	}
	return p.Path + ": " + p.Text
}

// InvalidError says that a record is refused, and why.
type InvalidError struct {
	Problems []Problem // in the order of the document, never empty
}

func (e *InvalidError) Error() string {
	switch n := len(e.Problems); n {
	case 0:
		return "invalid record"
	case 1:
		return e.Problems[0].String()
	default:
		return fmt.Sprintf("%s (and %d more)", e.Problems[0], n-1)
	}
}
