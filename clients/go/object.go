package doorward

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// object is a JSON object whose members are read by their exact names: encoding/json would take ID for id as well, and
// the last of two.
type object map[string]json.RawMessage

// parseObject reads one JSON object of valid UTF-8 that has no member twice.
func parseObject(text []byte) (object, bool) {
	if !utf8.Valid(text) {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, false
	}
	o := object{}
	for decoder.More() {
		name, _ := decoder.Token()
		key, isText := name.(string)
		var value json.RawMessage
		if _, isThere := o[key]; !isText || isThere || decoder.Decode(&value) != nil {
			return nil, false
		}
		o[key] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, false
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, false
	}
	return o, true
}

// member returns a member; false where it is absent, null or of another type.
func member[T any](o object, name string) (T, bool) {
	value, fits := optional[T](o, name)
	if value == nil {
		var zero T
		return zero, false
	}
	return *value, fits
}

// optional returns a member, or nil where it is absent or null; false where it is of another type.
func optional[T any](o object, name string) (*T, bool) {
	raw, ok := o[name]
	if !ok {
		return nil, true
	}
	var value *T
	err := json.Unmarshal(raw, &value)
	return value, err == nil
}
