package doorward_test

import (
	"context"

	"doorward/doorwardtest"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// browser has the cookies of one person, by name as the hosts of a world are one.
type browser struct {
	w       *world
	client  *http.Client
	mu      sync.Mutex
	cookies map[string]cookie
}

type cookie struct {
	value   string
	expires time.Time // zero: never
}

func (w *world) browser() *browser {
	return &browser{w: w, cookies: map[string]cookie{}, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// loggedIn returns the browser of somebody with a new session.
func (w *world) loggedIn(fields doorwardtest.Fields) (*browser, *doorwardtest.Session) {
	w.t.Helper()
	b := w.browser()
	session := w.doorward.Session(fields)
	for name, value := range session.Cookies {
		b.cookies[name] = cookie{value: value}
	}
	return b, session
}

// forget drops a cookie, as a browser does when it has expired.
func (b *browser) forget(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.cookies, name)
}

func (b *browser) has(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.cookies[name]
	return ok
}

func (b *browser) header() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var parts []string
	for name, c := range b.cookies {
		if c.expires.IsZero() || b.w.now().Before(c.expires) {
			parts = append(parts, name+"="+c.value)
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

func (b *browser) take(answer *http.Response) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, set := range answer.Cookies() {
		if set.MaxAge < 0 {
			delete(b.cookies, set.Name)
			continue
		}
		b.cookies[set.Name] = cookie{set.Value, b.w.now().Add(time.Duration(set.MaxAge) * time.Second)}
	}
}

// page is an answer that has been read.
type page struct {
	*http.Response
	body string
}

// send sends a request as browsers do; header pairs replace what it has, and an empty value removes.
func (b *browser) send(ctx context.Context, method, address string, form url.Values, headers ...string) (*page, error) {
	if strings.HasPrefix(address, "/") {
		address = b.w.app + address
	}
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	h := request.Header
	h.Set("Accept", "text/html,*/*")
	h.Set("Sec-Fetch-Mode", "navigate")
	h.Set("Sec-Fetch-Dest", "document")
	h.Set("Sec-Fetch-Site", "same-origin")
	if form != nil {
		h.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if cookies := b.header(); cookies != "" {
		h.Set("Cookie", cookies)
	}
	for i := 0; i < len(headers); i += 2 {
		h.Del(headers[i])
		if headers[i+1] != "" {
			h.Set(headers[i], headers[i+1])
		}
	}
	answer, err := b.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	b.take(answer)
	body, err := io.ReadAll(answer.Body)
	return &page{answer, string(body)}, err
}

func (b *browser) do(method, address string, form url.Values, headers ...string) *page {
	b.w.t.Helper()
	answer, err := b.send(context.Background(), method, address, form, headers...)
	if err != nil {
		b.w.t.Fatal(err)
	}
	return answer
}

func (b *browser) get(address string, headers ...string) *page {
	b.w.t.Helper()
	return b.do(http.MethodGet, address, nil, headers...)
}

func (b *browser) post(address string, headers ...string) *page {
	b.w.t.Helper()
	return b.do(http.MethodPost, address, url.Values{}, headers...)
}

func (p *page) expect(t *testing.T, status int) *page {
	t.Helper()
	if p.StatusCode != status {
		t.Fatalf("%s %s: %s, not %d: %s %s", p.Request.Method, p.Request.URL, p.Status, status, p.Header.Get("Location"), p.body)
	}
	return p
}
