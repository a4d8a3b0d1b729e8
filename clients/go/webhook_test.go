package doorward_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"doorward"
	"doorward/doorwardtest"
)

func base64Of(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func TestAnotherSecretIsLoggedOnceAndAStrangersRequestIsNot(t *testing.T) {
	var log syncBuffer
	dw, err := doorward.New(doorward.Options{URL: "http://localhost:8080", WebhookSecret: "ours", Log: logTo(&log)})
	if err != nil {
		t.Fatal(err)
	}
	receiver := dw.Webhook(func(context.Context, *doorward.Event) error { return nil })
	stranger := httptest.NewRecorder()
	receiver.ServeHTTP(stranger, httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader("{}")))
	if stranger.Code != http.StatusUnauthorized || log.count("code=signature") != 0 {
		t.Errorf("a stranger: %d", stranger.Code)
	}
	for range 2 {
		r := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader("{}"))
		r.Header.Set("Webhook-Id", "evt_1")
		r.Header.Set("Webhook-Timestamp", "1")
		r.Header.Set("Webhook-Signature", "v1,"+base64Of("not ours"))
		answer := httptest.NewRecorder()
		if receiver.ServeHTTP(answer, r); answer.Code != http.StatusUnauthorized {
			t.Errorf("%d", answer.Code)
		}
	}
	if told := log.count("code=signature"); told != 1 {
		t.Errorf("logged %d times", told)
	}
}

func TestWebhooksArriveTypedOnceAndAgainAfterAFailure(t *testing.T) {
	w := newWorld(t, "SVC_WEBHOOK_URL={app}/hooks")
	dw := w.client(nil)
	events := make(chan *doorward.Event, 100)
	var failures, repeated atomic.Int64
	failures.Store(1)
	receiver := dw.Webhook(func(_ context.Context, event *doorward.Event) error {
		if _, isUser := event.Data.(doorward.UserCreated); isUser && failures.Add(-1) >= 0 {
			return errors.New("the database is away")
		}
		events <- event
		return nil
	})
	w.mux.HandleFunc("/hooks", func(rw http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		_, _ = body.ReadFrom(r.Body)
		r.Body = http.NoBody
		for range 2 { // as after an answer that was lost
			again := r.Clone(r.Context())
			again.Body = readCloser{bytes.NewReader(body.Bytes())}
			answer := httptest.NewRecorder()
			receiver.ServeHTTP(answer, again)
			if answer.Code != http.StatusNoContent {
				rw.WriteHeader(answer.Code)
				return
			}
			repeated.Add(1)
		}
		rw.WriteHeader(http.StatusNoContent)
	})
	session := w.doorward.Session(doorwardtest.Fields{Email: "ada@example.com"})
	organization := next(t, events)
	if data, ok := organization.Data.(doorward.OrganizationCreated); !ok || data.Kind != "personal" || *data.CreatedByUserID != session.UserID {
		t.Errorf("%+v", organization)
	}
	if data, ok := next(t, events).Data.(doorward.MembershipCreated); !ok || !data.IsInitialMembership || data.InvitationID != nil || string(data.Metadata) != "{}" {
		t.Errorf("%+v", data)
	}
	w.advance(31 * time.Second)
	user := next(t, events)
	if data, ok := user.Data.(doorward.UserCreated); !ok || data.UserID != session.UserID || user.Type != "user.created" || user.CreatedAt.IsZero() {
		t.Errorf("%+v", user)
	}
	if len(events) > 0 {
		t.Errorf("%d events came twice", len(events))
	}
}

type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }

func next(t *testing.T, events chan *doorward.Event) *doorward.Event {
	t.Helper()
	select {
	case event := <-events:
		return event
	case <-time.After(10 * time.Second):
		t.Fatal("no event came")
		return nil
	}
}

// delivery makes a request as Doorward does.
func delivery(secret, id string, at time.Time, body string) *http.Request {
	timestamp := fmt.Sprint(at.Unix())
	r := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body))
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", timestamp)
	r.Header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac(secret, id+"."+timestamp+"."+body)))
	return r
}

func mac(key, text string) []byte {
	hash := hmac.New(sha256.New, []byte(key))
	hash.Write([]byte(text))
	return hash.Sum(nil)
}

func TestAReceiverBelievesItsSignatureAlone(t *testing.T) {
	const id, secret, previous = "evt_1", "this receiver's secret", "the secret before"
	body := `{"id":"evt_1","type":"user.created","created_at":"2026-05-15T10:42:07Z","data":{"user_id":"u","new":1}}`
	for _, c := range []struct {
		name    string
		request *http.Request
		status  int
	}{
		{"right", delivery(secret, id, time.Now(), body), 204},
		{"the secret before", delivery(previous, id, time.Now(), body), 204},
		{"X-Svc-Signature alone", change(delivery(secret, id, time.Now(), body), "Webhook-Signature", "",
			"X-Svc-Signature", "sha256="+hex.EncodeToString(mac(secret, body))), 401},
		{"X-Svc-Signature in place of the time", change(delivery(secret, id, time.Now(), body), "Webhook-Timestamp", "",
			"X-Svc-Signature", "sha256="+hex.EncodeToString(mac(secret, body))), 401},
		{"another secret", delivery("another", id, time.Now(), body), 401},
		{"too old", delivery(secret, id, time.Now().Add(-301*time.Second), body), 401},
		{"too new", delivery(secret, id, time.Now().Add(302*time.Second), body), 401},
		{"another event's id", delivery(secret, "evt_2", time.Now(), body), 400},
		{"no data", delivery(secret, id, time.Now(), strings.Replace(body, "user_id", "User_ID", 1)), 400},
		{"an unknown kind", delivery(secret, id, time.Now(), strings.Replace(body, "user.created", "user.renamed", 1)), 204},
		{"too large", delivery(secret, id, time.Now(), body+strings.Repeat(" ", 1<<20)), 413},
		{"GET", httptest.NewRequest(http.MethodGet, "/hooks", nil), 405},
	} {
		dw, err := doorward.New(doorward.Options{
			URL: "http://localhost:8080", WebhookSecret: secret, WebhookSecretPrevious: previous, Log: logTo(&syncBuffer{}),
		})
		if err != nil {
			t.Fatal(err)
		}
		given := 0
		answer := httptest.NewRecorder()
		dw.Webhook(func(context.Context, *doorward.Event) error { given++; return nil }).ServeHTTP(answer, c.request)
		if answer.Code != c.status || (given == 1) != (c.status == 204) {
			t.Errorf("%s: %d, %d times to the handler: %s", c.name, answer.Code, given, answer.Body)
		}
	}
}

func change(r *http.Request, headers ...string) *http.Request {
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	return r
}

func TestTheLatestTenThousandEventsAreRemembered(t *testing.T) {
	dw, err := doorward.New(doorward.Options{URL: "http://localhost:8080", WebhookSecret: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	handled := 0
	receiver := dw.Webhook(func(context.Context, *doorward.Event) error { handled++; return nil })
	send := func(number int) {
		id := fmt.Sprintf("evt_%d", number)
		body := fmt.Sprintf(`{"id":%q,"type":"ping","created_at":"2026-05-15T10:42:07Z","data":{}}`, id)
		receiver.ServeHTTP(httptest.NewRecorder(), delivery("secret", id, time.Now(), body))
	}
	for number := range 10_001 {
		send(number)
	}
	send(1)
	send(10_000)
	if handled != 10_001 {
		t.Errorf("%d events were handled: the latest are not remembered", handled)
	}
	if send(0); handled != 10_002 {
		t.Error("the oldest is remembered, and memory grows")
	}
}

// schema is what these tests read of a JSON Schema.
type schema struct {
	Title      string            `json:"title"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Type       any               `json:"type"`
	Format     string            `json:"format"`
	Enum       []string          `json:"enum"`
}

// sample makes a value of a property, or null where that may be.
func (s schema) sample(nulls bool) any {
	if types, ok := s.Type.([]any); ok && len(types) == 2 && nulls {
		return nil
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Format == "date-time":
		return "2026-05-15T10:42:07.318204Z"
	case s.Type == "boolean":
		return true
	case s.Type == "object" && s.Properties == nil:
		return map[string]any{"plan": "pro"}
	case s.Type == "object":
		sample := map[string]any{}
		for name, property := range s.Properties {
			sample[name] = property.sample(nulls)
		}
		return sample
	}
	return "text"
}

func TestPayloadsHaveTheFieldsOfTheSchemas(t *testing.T) {
	files, _ := filepath.Glob("../../docs/reference/events/*.json")
	if len(files) == 0 {
		t.Skip("the schemas are not beside this folder, as in the release's archive")
	}
	typed := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var s schema
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		for _, nulls := range []bool{false, true} {
			given := s.Properties["data"].sample(nulls)
			event := receive(t, s.Title, given)
			if event == nil {
				t.Errorf("%s is refused: %v", s.Title, given)
				continue
			}
			if _, untyped := event.Data.(json.RawMessage); untyped {
				continue
			}
			typed[fmt.Sprintf("%T", event.Data)] = true
			// All of the sample is in the struct, and nothing else.
			back, _ := json.Marshal(event.Data)
			want, _ := json.Marshal(given)
			var gotAny, wantAny any
			_, _ = json.Unmarshal(back, &gotAny), json.Unmarshal(want, &wantAny)
			if got, want := fmt.Sprint(gotAny), fmt.Sprint(wantAny); got != want {
				t.Errorf("%s: %s, not %s", s.Title, got, want)
			}
		}
		for _, name := range s.Properties["data"].Required {
			given := s.Properties["data"].sample(false).(map[string]any)
			delete(given, name)
			if receive(t, s.Title, given) != nil {
				t.Errorf("%s passes without %s", s.Title, name)
			}
		}
	}
	if len(typed) != 12 {
		t.Errorf("%d kinds are typed: %v", len(typed), typed)
	}
}

// receive gives an event to a receiver, and returns what its handler got.
func receive(t *testing.T, kind string, data any) (given *doorward.Event) {
	t.Helper()
	dw, err := doorward.New(doorward.Options{URL: "http://localhost:8080", WebhookSecret: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	body, _ := json.Marshal(map[string]any{"id": "evt_1", "type": kind, "created_at": "2026-05-15T10:42:07Z", "data": data})
	dw.Webhook(func(_ context.Context, event *doorward.Event) error { given = event; return nil }).
		ServeHTTP(httptest.NewRecorder(), delivery("secret", "evt_1", time.Now(), string(body)))
	return given
}
