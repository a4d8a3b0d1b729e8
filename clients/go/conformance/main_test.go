package main

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// TestCases judges the cases of every client library as the command does.
func TestCases(t *testing.T) {
	for kind, judge := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			file, err := os.ReadFile("../../conformance/" + kind + ".json")
			if os.IsNotExist(err) {
				t.Skip("the cases are not beside this folder, as in the release's archive")
			}
			var given struct{ Cases []map[string]any }
			if err != nil || json.Unmarshal(file, &given) != nil {
				t.Fatalf("%v: no cases", err)
			}
			var in, out bytes.Buffer
			asked := json.NewEncoder(&in)
			for _, c := range given.Cases {
				expected := c["expect"]
				delete(c, "expect")
				_ = asked.Encode(c)
				c["expect"] = expected
			}
			if err := run(judge, &in, &out); err != nil {
				t.Fatal(err)
			}
			answers := json.NewDecoder(&out)
			for _, c := range given.Cases {
				expected := c["expect"].(map[string]any)
				expected["id"] = c["id"]
				var answer map[string]any
				if err := answers.Decode(&answer); err != nil || !reflect.DeepEqual(answer, expected) {
					t.Errorf("%v, %v: expected %v", answer, err, expected)
				}
			}
		})
	}
}
