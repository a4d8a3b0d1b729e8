package doorwardtest_test

import (
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"doorward"
	"doorward/doorwardtest"
)

func TestAServerHasSessionsMailsAndAClock(t *testing.T) {
	server := doorwardtest.Start(t, "SVC_WEBHOOK_URL=http://127.0.0.1:9/", "SVC_WEBHOOK_SECRET=a secret of ours")
	if server.WebhookSecret != "a secret of ours" {
		t.Errorf("settings are not passed: %+v", server)
	}
	dw, err := doorward.New(doorward.Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	session := server.Session(doorwardtest.Fields{Email: "ada@example.com", MFA: true})
	r, _ := http.NewRequest(http.MethodGet, server.URL, nil)
	session.AddTo(r)
	person, err := dw.Look(r)
	if err != nil || person.ID != session.UserID || person.SessionID != session.SessionID || !slices.Contains(person.Methods, "totp") {
		t.Errorf("%+v, %v", person, err)
	}

	body := strings.NewReader(`{"email":"bob@example.com","send_mail":true}`)
	invite, _ := http.NewRequest(http.MethodPost, server.InternalURL+"/auth/api/v2/users", body)
	invite.Header.Set("Authorization", "Bearer "+server.APIKey)
	invite.Header.Set("Content-Type", "application/json")
	if answer, err := http.DefaultClient.Do(invite); err != nil || answer.StatusCode != http.StatusCreated {
		t.Fatalf("%v, %v", answer, err)
	}
	mails := server.Mails("bob@example.com")
	if len(mails) != 1 || mails[0].To != "bob@example.com" || !strings.HasPrefix(mails[0].Link, server.URL) {
		t.Errorf("%+v", mails)
	}

	now := server.Advance("1500h")
	if ahead := server.Clock().Sub(now); time.Until(now) < 1499*time.Hour || ahead < 0 || ahead > time.Minute {
		t.Errorf("it is %s, and by the clock %s later", now, ahead)
	}
	if person, err := dw.Look(r); person != nil || err != nil {
		t.Errorf("the session has not expired: %+v, %v", person, err)
	}

	server.Stop()
	if _, err := net.Dial("tcp", strings.TrimPrefix(server.InternalURL, "http://")); err == nil {
		t.Error("it still listens")
	}
}

// failing notes why a test would have failed.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(format string, _ ...any) {
	f.said = format
	runtime.Goexit()
}

func TestAMissingProgramIsNamed(t *testing.T) {
	t.Setenv("DOORWARD_BIN", "/nowhere/doorward")
	f := &failing{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		doorwardtest.Start(f)
	}()
	<-done
	if !strings.Contains(f.said, "binary_missing") || !strings.Contains(f.said, "DOORWARD_BIN") {
		t.Errorf("it says %q", f.said)
	}
}
