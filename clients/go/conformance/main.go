// Command conformance answers the cases of clients/conformance: one of KIND verify, gate or webhooks a line of standard
// input, and what this library says of it a line of standard output.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"doorward"
)

type testCase struct {
	ID  string  `json:"id"`
	Now float64 `json:"now"`

	JWKS    []json.RawMessage `json:"jwks"` // successive answers; null: the fetch fails
	Options struct {
		Issuer   string `json:"issuer"`
		Audience string `json:"audience"`
	} `json:"options"`
	Token string `json:"token"`

	Secrets []string          `json:"secrets"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body"`
	Seen    seen              `json:"seen"`
}

// seen are the events that a receiver has handled.
type seen []string

func (s seen) Has(_ context.Context, id string) (bool, error) {
	for _, known := range s {
		if known == id {
			return true, nil
		}
	}
	return false, nil
}

func (seen) Add(context.Context, string) error { return nil }

// kinds say of a case what the library says.
var kinds = map[string]func(testCase) (map[string]any, error){"verify": verify, "gate": gate, "webhooks": webhooks}

func main() {
	if len(os.Args) != 2 || kinds[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: go run ./conformance verify|gate|webhooks < CASES")
		os.Exit(2)
	}
	if err := run(kinds[os.Args[1]], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(judge func(testCase) (map[string]any, error), in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	for lines.Scan() {
		var c testCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return err
		}
		answer, err := judge(c)
		if refused := (*doorward.Error)(nil); errors.As(err, &refused) {
			answer = map[string]any{"error": refused.Code}
		} else if err != nil {
			return fmt.Errorf("case %s: %w", c.ID, err)
		}
		answer["id"], answer["ok"] = c.ID, answer["error"] == nil
		if err := answers.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

func verify(c testCase) (map[string]any, error) {
	return judge(c, doorward.Options{Audience: c.Options.Audience}, (*doorward.Client).Verify)
}

func gate(c testCase) (map[string]any, error) {
	return judge(c, doorward.Options{AppURL: c.Options.Audience}, (*doorward.Client).VerifyAssertion)
}

type verifier func(client *doorward.Client, ctx context.Context, token string) (*doorward.Person, error)

// judge verifies a token with keys that are fetched from a server of its own.
func judge(c testCase, options doorward.Options, verify verifier) (map[string]any, error) {
	keys := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var set json.RawMessage
		if len(c.JWKS) > 0 {
			set, c.JWKS = c.JWKS[0], c.JWKS[1:]
		}
		if set == nil || string(set) == "null" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write(set)
	}))
	defer keys.Close()
	options.URL, options.Issuer = keys.URL, c.Options.Issuer
	options.Clock, options.Log = c.clock, slog.New(slog.DiscardHandler)
	client, err := doorward.New(options)
	if err != nil {
		return nil, err
	}
	person, err := verify(client, context.Background(), c.Token)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"sub": person.ID, "org_id": orNull(person.Organization.ID), "org_role": orNull(person.Organization.Role),
		"roles": append([]string{}, person.Roles...),
	}, nil
}

func webhooks(c testCase) (map[string]any, error) {
	options := doorward.Options{URL: "http://localhost", Seen: c.Seen, Clock: c.clock, Log: slog.New(slog.DiscardHandler)}
	options.WebhookSecret = c.Secrets[0]
	if len(c.Secrets) > 1 {
		options.WebhookSecretPrevious = c.Secrets[1]
	}
	client, err := doorward.New(options)
	if err != nil {
		return nil, err
	}
	var given *doorward.Event
	receiver := client.Webhook(func(_ context.Context, event *doorward.Event) error {
		given = event
		return nil
	})
	request := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(c.Body))
	for name, value := range c.Headers {
		request.Header.Set(name, value)
	}
	answer := httptest.NewRecorder()
	receiver.ServeHTTP(answer, request)
	if given != nil {
		return map[string]any{"event": given.ID, "type": given.Type}, nil
	}
	if answer.Code == http.StatusNoContent {
		return map[string]any{"error": "replay"}, nil
	}
	var refusal struct{ Error struct{ Code string } }
	err = json.Unmarshal(answer.Body.Bytes(), &refusal)
	return map[string]any{"error": refusal.Error.Code}, err
}

func (c testCase) clock() time.Time { return time.UnixMilli(int64(c.Now * 1000)) }

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
