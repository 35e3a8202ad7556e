package journal

// many is how many questions are answered by searches before the journal is read whole.
const many = 48

// A Reader answers the questions of one process: the first ones by searches, and then from all of the journal. What others
// append after that it may miss, and a journal that cannot be read holds nothing. It is not safe for concurrent use.
type Reader struct {
	file   *File
	asked  int
	values map[string]string // nil until the journal is read whole
}

// Reader returns a reader that has read nothing yet.
func (f *File) Reader() *Reader { return &Reader{file: f} }

// Find returns the value that was appended last for a key.
func (r *Reader) Find(key string) (value string, ok bool) {
	if r.asked++; r.values == nil && (r.asked == many || r.asked == 1 && r.file.small()) {
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
