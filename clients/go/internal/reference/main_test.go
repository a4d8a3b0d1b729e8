package main

import (
	"bytes"
	"os"
	"testing"
)

func TestReferenceIsCurrent(t *testing.T) {
	const module = "../.."
	kept, err := os.ReadFile(module + "/REFERENCE.md")
	if err != nil {
		t.Fatal(err)
	}
	var now bytes.Buffer
	if err := write(&now, module); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(now.Bytes(), kept) {
		t.Error("REFERENCE.md is not current: run go run ./internal/reference > REFERENCE.md")
	}
}
