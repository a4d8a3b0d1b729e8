// Package doorwardtest runs a real Doorward for the tests of an application:
//
//	server := doorwardtest.Start(t)
//	dw, err := doorward.New(doorward.Options{URL: server.URL})
//
// Its data is in memory, no email leaves it, and it ends with the test, whatever ends that. It is the command doorward
// that DOORWARD_BIN names, else the one in PATH.
package doorwardtest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	startTimeout = 10 * time.Second
	stopTimeout  = 10 * time.Second
	askTimeout   = 30 * time.Second
)

// Server is a running Doorward. Its methods end the test where they fail.
type Server struct {
	// URL is the public origin, for browsers: http://localhost and a port.
	URL string `json:"url"`
	// InternalURL is for programs that do not know localhost.
	InternalURL string `json:"internal_url"`
	// APIKey has every scope of API v2.
	APIKey string `json:"api_key"`
	// WebhookSecret signs webhooks, if SVC_WEBHOOK_URL is set.
	WebhookSecret string `json:"webhook_secret"`

	ahead  atomic.Int64
	t      testing.TB
	client *http.Client
	stop   func()
}

// Start starts Doorward, with these settings beside those of the environment, such as "SVC_ACCESS_TTL=2s".
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	program, err := exec.LookPath(cmp.Or(os.Getenv("DOORWARD_BIN"), "doorward"))
	if err != nil {
		t.Fatalf("doorwardtest: binary_missing: there is no command doorward: install it, or set DOORWARD_BIN to its path: %v", err)
	}
	command := exec.Command(program, "serve", "--ephemeral", "--until-stdin-closes")
	command.Env = append(os.Environ(), settings...)
	// Doorward ends when this pipe closes, also where a killed test closes nothing itself.
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatalf("doorwardtest: %v", err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatalf("doorwardtest: %v", err)
	}
	var log bytes.Buffer
	command.Stderr = &log
	if err := command.Start(); err != nil {
		t.Fatalf("doorwardtest: %s does not start: %v", program, err)
	}
	s := &Server{t: t, client: &http.Client{Timeout: askTimeout}}
	s.stop = sync.OnceFunc(func() { end(t, command, input) })
	t.Cleanup(s.Stop)
	slow := time.AfterFunc(startTimeout, func() { _ = command.Process.Kill() })
	line, err := bufio.NewReader(output).ReadBytes('\n')
	slow.Stop()
	if err != nil || json.Unmarshal(line, s) != nil || s.URL == "" {
		s.Stop()
		t.Fatalf("doorwardtest: %s serve --ephemeral did not become ready; it said: %s", program, log.Bytes())
	}
	return s
}

func end(t testing.TB, command *exec.Cmd, input io.Closer) {
	_ = input.Close()
	slow := time.AfterFunc(stopTimeout, func() {
		t.Error("doorwardtest: Doorward did not end in time, and was killed")
		_ = command.Process.Kill()
	})
	_ = command.Wait()
	slow.Stop()
}

// Stop ends Doorward; the end of the test does it, too.
func (s *Server) Stop() { s.stop() }

// Fields say whose session is opened.
type Fields struct {
	// Email is required; an account with a verified address is made if there is none.
	Email string `json:"email"`
	// OrganizationID is the active organization, of which the person must be a member.
	OrganizationID string `json:"organization_id,omitempty"`
	// MFA lets a second factor count as shown.
	MFA bool `json:"mfa,omitempty"`
}

// Session is a session that was opened as by a login.
type Session struct {
	UserID    string `json:"user_id"`
	SessionID string `json:"session_id"`
	// Cookies are what the browser has, by name.
	Cookies map[string]string `json:"cookies"`
}

// AddTo adds the cookies to a request.
func (s *Session) AddTo(r *http.Request) {
	for name, value := range s.Cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
}

// Session opens a session.
func (s *Server) Session(fields Fields) *Session {
	s.t.Helper()
	session := &Session{}
	s.ask(http.MethodPost, "/auth/dev/session", fields, session)
	return session
}

// Mail is an email that would have been sent.
type Mail struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	// Link and Code are empty where the email has none.
	Link string `json:"link"`
	Code string `json:"code"`
}

// Mails returns the emails to an address, newest first.
func (s *Server) Mails(to string) []Mail {
	s.t.Helper()
	var list struct {
		Data []Mail `json:"data"`
	}
	s.ask(http.MethodGet, "/auth/dev/mails?to="+url.QueryEscape(to), nil, &list)
	return list.Data
}

// Advance moves Doorward's clock forward by a duration such as "15m", and returns its time. Whatever follows the time has
// followed: tokens and sessions have expired. With [Server.Clock] as the Clock of [doorward.Options], both agree.
func (s *Server) Advance(duration string) time.Time {
	s.t.Helper()
	var answer struct {
		Now time.Time `json:"now"`
	}
	s.ask(http.MethodPost, "/auth/dev/clock", map[string]string{"advance": duration}, &answer)
	s.ahead.Store(int64(time.Until(answer.Now)))
	return answer.Now
}

// Clock returns Doorward's time, for the Clock of [doorward.Options].
func (s *Server) Clock() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }

func (s *Server) ask(method, path string, body, into any) {
	s.t.Helper()
	if err := s.exchange(method, path, body, into); err != nil {
		s.t.Fatalf("doorwardtest: %s %s: %v", method, path, err)
	}
}

func (s *Server) exchange(method, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(context.Background(), method, s.InternalURL+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+s.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}
