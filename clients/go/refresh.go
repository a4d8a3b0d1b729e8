package doorward

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// sharedFor is how long the answer of a refresh is for all requests with the same token: those of one page come one
// after the other. It is shorter than SVC_REFRESH_GRACE, in which Doorward itself gives them the same answer.
const sharedFor = 5 * time.Second

// renewals are the refreshes of this process, by refresh token.
type renewals struct {
	mu    sync.Mutex
	byKey map[string]*renewal
}

// renewal is one refresh, under way or answered.
type renewal struct {
	done    chan struct{}
	lines   []string       // Doorward's Set-Cookie lines
	cookies sessionCookies // those of the browser after it
	nobody  bool
	err     error
	until   time.Time // when it is no longer shared
}

// renew refreshes a session, once for all requests of this process with that token. It goes on when the request that
// began it is cancelled, as others wait for it.
func (d *Client) renew(ctx context.Context, cookies sessionCookies) *renewal {
	key := strings.Join(cookies.refresh, " ")
	found, isOurs := d.renewals.take(key, d.clock())
	if isOurs {
		d.refresh(context.WithoutCancel(ctx), cookies, found)
		d.renewals.settle(key, found, d.clock())
		return found
	}
	select {
	case <-found.done:
		return found
	case <-ctx.Done():
		return &renewal{err: &Error{Code: "unavailable", Message: "the request ended before its session was renewed", Err: ctx.Err()}}
	}
}

// take returns the renewal for a token, and whether the caller has to do it.
func (s *renewals) take(key string, now time.Time) (*renewal, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.byKey[key]; ok && (found.until.IsZero() || now.Before(found.until)) {
		return found, false
	}
	if s.byKey == nil {
		s.byKey = map[string]*renewal{}
	}
	begun := &renewal{done: make(chan struct{})}
	s.byKey[key] = begun
	return begun, true
}

// settle lets those who wait go on. Only a success is shared with those who come later.
func (s *renewals) settle(key string, done *renewal, now time.Time) {
	s.mu.Lock()
	done.until = now
	if done.err == nil && !done.nobody {
		done.until = now.Add(sharedFor)
		time.AfterFunc(sharedFor, func() { s.forget(key, done) })
	} else {
		delete(s.byKey, key)
	}
	s.mu.Unlock()
	close(done.done)
}

func (s *renewals) forget(key string, old *renewal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byKey[key] == old {
		delete(s.byKey, key)
	}
}

// refresh asks once: a lost answer is asked for again by the browser's next request, with the token that it still has.
func (d *Client) refresh(ctx context.Context, cookies sessionCookies, into *renewal) {
	header := http.Header{"Cookie": {cookies.header(d.name)}, "X-Csrf-Token": {cookies.csrfToken()}}
	path := "/auth/api/v1/sessions/refresh?audience=" + url.QueryEscape(d.audience)
	answer, err := d.ask(ctx, http.MethodPost, path, header, sessionBytes)
	if err != nil {
		into.err = d.unavailable("a refresh of the session", err)
		return
	}
	lines := answer.header["Set-Cookie"]
	after, isRenewed := cookies.after(lines, d.name)
	switch {
	case answer.status == http.StatusOK && isRenewed:
		into.lines, into.cookies = lines, after
	case answer.status == http.StatusUnauthorized || answer.status == http.StatusForbidden:
		into.lines, into.nobody = lines, true
	default:
		if answer.status == http.StatusBadRequest {
			d.advice.say("audience_mismatch", "Doorward refuses to refresh for this audience: set DOORWARD_AUDIENCE to one of "+
				"its SVC_AUDIENCES", "audience", d.audience)
		}
		into.err = d.unavailable("a refresh of the session", fmt.Errorf("it answered %d", answer.status))
	}
}
