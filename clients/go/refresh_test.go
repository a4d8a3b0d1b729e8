package doorward_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"doorward"
	"doorward/doorwardtest"
)

func TestParallelRequestsOfOnePageRefreshOnce(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(hello)))
	b, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	w.advance(12 * time.Minute)
	before := b.header()
	var all sync.WaitGroup
	answers := make(chan *page, 41)
	for range cap(answers) - 1 {
		all.Go(func() { answers <- b.get("/", "Cookie", before) })
	}
	all.Wait()
	answers <- b.get("/", "Cookie", before) // one that comes a little later
	close(answers)
	given := map[string]bool{}
	for answer := range answers {
		answer.expect(t, http.StatusOK)
		given[strings.Join(answer.Header["Set-Cookie"], "\n")] = true
		if !strings.Contains(answer.body, session.UserID) {
			t.Errorf("another person: %s", answer.body)
		}
	}
	if w.way.count("refresh") != 1 || len(given) != 1 {
		t.Errorf("%d refreshes gave %d different answers", w.way.count("refresh"), len(given))
	}
	for line := range given {
		if !strings.Contains(line, "svc_refresh=") || !strings.Contains(line, "HttpOnly") || !strings.Contains(line, "Max-Age=") {
			t.Errorf("Doorward's lines do not pass whole: %s", line)
		}
	}
}

func TestAPostGoesOnAfterTheRefresh(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		who, err := dw.Who(r)
		looked, lookErr := dw.Look(r)
		fmt.Fprint(rw, r.PostFormValue("text"), " ", who != nil, err, " ", looked != nil && looked.Email == "ada@example.com", lookErr)
	})))
	b, _ := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	b.forget("svc_access")
	answer := b.do(http.MethodPost, "/", url.Values{"text": {"kept"}}).expect(t, http.StatusOK)
	if answer.body != "kept true <nil> true <nil>" {
		t.Errorf("the handler saw: %s", answer.body)
	}
	if !b.has("svc_access") || answer.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("headers: %v", answer.Header)
	}
}

func TestDoorwardGetsTheThreeCookiesAndNothingElseOfABrowser(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect(doorward.Live())(http.HandlerFunc(hello)))
	b, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	b.cookies["theme"] = cookie{value: "dark"}
	w.advance(12 * time.Minute)
	b.post("/", "Origin", w.app, "Authorization", "Bearer secret", "X-Forwarded-For", "192.0.2.1").expect(t, http.StatusOK)
	refreshed, looked := w.way.headers["refresh"], w.way.headers["session"]
	if !strings.Contains(refreshed.Get("Cookie"), session.Cookies["svc_refresh"]) || strings.Contains(looked.Get("Cookie"), session.Cookies["svc_refresh"]) {
		t.Error("the refresh takes the browser's token, and the look the new one")
	}
	for name, header := range map[string]http.Header{"refresh": refreshed, "look": looked} {
		sent := header.Get("Cookie")
		for _, own := range []string{"svc_access=", "svc_refresh=", "svc_csrf=" + session.Cookies["svc_csrf"]} {
			if strings.Count(sent, own) != 1 {
				t.Errorf("%s: %s", name, sent)
			}
		}
		delete(header, "Cookie")
		delete(header, "Accept-Encoding")
		delete(header, "User-Agent")
		delete(header, "Content-Length")
		delete(header, "X-Csrf-Token")
		if strings.Contains(sent, "theme") || len(header) > 0 {
			t.Errorf("%s: %s, %v", name, sent, header)
		}
	}
}

func TestALostAnswerLogsNobodyOut(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(hello)))
	b, _ := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	for range 3 {
		w.advance(12 * time.Minute)
		w.way.fail(func(rw http.ResponseWriter, r *http.Request, pass func(http.ResponseWriter)) {
			if r.Method == http.MethodPost {
				pass(httptest.NewRecorder()) // Doorward has answered, and nobody gets to know
				hangUp(rw)
				return
			}
			pass(rw)
		})
		before := b.header()
		if lost := b.get("/").expect(t, http.StatusServiceUnavailable); len(lost.Header["Set-Cookie"]) > 0 || b.header() != before {
			t.Error("a cookie changed")
		}
		w.way.fail(nil)
		// Longer than the grace: the token that was replaced is good only as nobody has used the new one.
		w.advance(31 * time.Second)
		b.get("/").expect(t, http.StatusOK)
	}
}

// Tokens of two seconds, on a bad network: each navigation needs a refresh, and most answers never arrive.
func TestAThousandCancelledNavigationsLogNobodyOut(t *testing.T) {
	w := newWorld(t, "SVC_ACCESS_TTL=2s")
	dw := w.client(nil)
	var posts atomic.Int64
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			posts.Add(1)
		} else if person, err := dw.Look(r); err == nil && person == nil {
			t.Error("Doorward does not know the new tokens")
		}
		hello(rw, r)
	})))
	const people, rounds = 40, 25
	var browsers []*browser
	for i := range people {
		b, _ := w.loggedIn(doorwardtest.Fields{Email: fmt.Sprintf("person-%d@example.com", i)})
		browsers = append(browsers, b)
	}
	var cancelled, sent atomic.Int64
	for round := range rounds {
		w.settle()
		// Sometimes within the grace of a refresh, sometimes long after it.
		w.advance([]time.Duration{3 * time.Second, 63 * time.Second}[round%2])
		var all sync.WaitGroup
		for _, b := range browsers {
			all.Go(func() {
				b.forget("svc_access")
				patience := time.Duration(rand.Int64N(int64(40 * time.Millisecond)))
				if rand.IntN(4) == 0 {
					patience = time.Minute
				}
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				defer cancel()
				if answer, err := b.send(ctx, http.MethodGet, "/", nil); err != nil {
					cancelled.Add(1)
				} else {
					answer.expect(t, http.StatusOK)
				}
				if rand.IntN(5) == 0 {
					sent.Add(1)
					b.post("/").expect(t, http.StatusOK)
				}
			})
		}
		all.Wait()
	}
	for _, b := range browsers {
		w.advance(3 * time.Second)
		b.get("/").expect(t, http.StatusOK)
	}
	if posts.Load() != sent.Load() {
		t.Errorf("%d of %d changes arrived", posts.Load(), sent.Load())
	}
	if cancelled.Load() < people*rounds/10 || cancelled.Load() == people*rounds {
		t.Errorf("%d navigations were cancelled: that shows nothing", cancelled.Load())
	}
	t.Logf("%d of %d navigations cancelled, %d changes, %d refreshes", cancelled.Load(), people*rounds, sent.Load(), w.way.count("refresh"))
}

func TestAPrefetchAndAWebSocketAreOnlyLookedAt(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(hello)))
	b, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	b.forget("svc_access")
	for _, name := range []string{"Sec-Purpose", "Purpose", "Next-Router-Prefetch", "Next-Router-Segment-Prefetch"} {
		answer := b.get("/", name, "prefetch").expect(t, http.StatusOK)
		if len(answer.Header["Set-Cookie"]) > 0 {
			t.Errorf("%s: %v", name, answer.Header["Set-Cookie"])
		}
	}
	b.get("/", "Sec-WebSocket-Key", "x", "Sec-Fetch-Mode", "websocket").expect(t, http.StatusOK)
	if w.way.count("refresh") != 0 || w.way.count("session") != 5 {
		t.Errorf("%d refreshes, %d looks", w.way.count("refresh"), w.way.count("session"))
	}
	w.api(http.MethodDelete, "/users/"+session.UserID+"/sessions", nil)
	w.advance(time.Second)
	b.get("/", "Sec-Purpose", "prefetch").expect(t, http.StatusUnauthorized)
}

func TestACacheNeverStoresNewCookies(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	public := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Cache-Control", "public, max-age=3600")
		if _, ok := rw.(http.Flusher); !ok {
			t.Error("the handler cannot stream")
		}
		fmt.Fprint(rw, "logo")
	})
	w.mux.Handle("/logo", dw.Optional(public))
	b, _ := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	if got := b.get("/logo").Header.Get("Cache-Control"); got != "public, max-age=3600" {
		t.Errorf("without new cookies: %s", got)
	}
	b.forget("svc_access")
	if got := b.get("/logo"); got.Header.Get("Cache-Control") != "private, no-store" || len(got.Header["Set-Cookie"]) == 0 {
		t.Errorf("with new cookies: %v", got.Header)
	}
}

func TestOneMiddlewareInAnotherAsksOnce(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Optional(dw.Protect()(http.HandlerFunc(hello))))
	b, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	b.forget("svc_access")
	b.get("/").expect(t, http.StatusOK)
	w.api(http.MethodDelete, "/users/"+session.UserID+"/sessions", nil)
	b.forget("svc_access")
	w.advance(time.Minute)
	b.get("/").expect(t, http.StatusSeeOther)
	if w.way.count("refresh") != 2 {
		t.Errorf("%d refreshes", w.way.count("refresh"))
	}
}

func TestCookiesThatAreDoubledOrUnreadable(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(hello)))
	w.mux.Handle("/live", dw.Protect(doorward.Live())(http.HandlerFunc(hello)))
	ada, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	_, other := w.loggedIn(doorwardtest.Fields{Email: "bob@example.com"})
	own := ada.header()
	access, refresh, csrf := session.Cookies["svc_access"], session.Cookies["svc_refresh"], session.Cookies["svc_csrf"]
	for _, c := range []struct {
		name, cookies string
		status        int
	}{
		{"as they are", own, 200},
		{"a refresh token without a CSRF token", "svc_refresh=" + refresh, 200},
		{"rubbish in front", "svc_access=rubbish; svc_access=\xff\xfe; svc_access=; " + own, 200},
		{"twice the same", own + "; " + own, 200},
		{"in quotes", `svc_access="` + access + `"`, 200},
		{"in another case", "SVC_ACCESS=" + access, 303},
		{"a stranger's name", "xsvc_access=" + access, 303},
		{"rubbish alone", "svc_access=a.b.c; svc_refresh=\x80; ;;=;svc_csrf", 303},
		{"behind too many", strings.Repeat("svc_access=a; ", 9) + "svc_access=" + access, 303},
		{"too long", "svc_access=" + strings.Repeat("a", 5000) + "; svc_refresh=" + strings.Repeat("b", 5000), 303},
		{"a refresh token and two CSRF tokens", "svc_refresh=" + refresh + "; svc_csrf=short; svc_csrf=" + csrf, 200},
		{"a wrong refresh token", "svc_refresh=r1.wrong; svc_csrf=" + csrf, 303},
		{"an unreadable one beside", "svc_refresh=\xff; svc_refresh=" + refresh + "; svc_csrf=" + csrf, 200},
		{"refresh tokens of two people", "svc_refresh=" + refresh + "; svc_refresh=" + other.Cookies["svc_refresh"] + "; svc_csrf=" + csrf, 303},
	} {
		for _, path := range []string{"/", "/live"} {
			answer := w.browser().get(path, "Cookie", c.cookies)
			if answer.StatusCode != c.status {
				t.Errorf("%s at %s: %s", c.name, path, answer.Status)
			}
			if answer.StatusCode == 200 && !strings.Contains(answer.body, session.UserID) {
				t.Errorf("%s at %s: another person", c.name, path)
			}
		}
	}
}
