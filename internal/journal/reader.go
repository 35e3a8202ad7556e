package journal

// A journal is read whole after as many questions as cost more than that: at least many, and one more for each share of its bytes.
const (
	many  = 48
	share = 32 * 1024
)

// A Reader answers the questions of one process: the first ones by searches, and then from all of the journal. What others
// append after that it may miss, and a journal that cannot be read holds nothing. It is not safe for concurrent use.
type Reader struct {
	file   *File
	asked  int
	enough int               // questions after which the journal is read whole
	values map[string]string // nil until the journal is read whole
}

// Reader returns a reader that has read nothing yet.
func (f *File) Reader() *Reader { return &Reader{file: f} }

// Expect says that so many questions follow.
func (r *Reader) Expect(questions int) {
	if r.asked == 0 {
		r.enough = r.file.worth()
	}
	r.asked += questions
}

// Find returns the value that was appended last for a key.
func (r *Reader) Find(key string) (value string, ok bool) {
	r.Expect(1)
	if r.values == nil && r.asked >= r.enough {
		r.load()
	}
	if r.values != nil {
		value, ok = r.values[key]
		return value, ok
	}
	value, ok, err := r.file.Find(key)
	return value, ok && err == nil
}

func (r *Reader) load() {
	r.values = map[string]string{}
	for e, err := range r.file.All() {
		if err != nil {
			return
		}
		r.values[e.Key] = e.Value
	}
}
