package doorward_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"doorward"
	"doorward/doorwardtest"
)

// world is a Doorward, an application that uses the library, and the way between them, which can fail.
type world struct {
	t        *testing.T
	doorward *doorwardtest.Server
	way      *way
	mux      *http.ServeMux
	app      string // its origin
	skew     atomic.Int64
	log      syncBuffer
	running  sync.RWMutex // held for reading by each request
}

type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) count(part string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Count(b.text.String(), part)
}

// newWorld starts Doorward with further settings, in which {app} is the application's origin.
func newWorld(t *testing.T, settings ...string) *world {
	t.Helper()
	t.Parallel()
	w := &world{t: t, mux: http.NewServeMux()}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.running.RLock()
		defer w.running.RUnlock()
		w.mux.ServeHTTP(rw, r)
	}))
	t.Cleanup(server.Close)
	w.app = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	all := append([]string{"SVC_APP_URL={app}", "SVC_ALLOWED_ORIGINS={app}"}, settings...)
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "{app}", w.app)
	}
	w.doorward = doorwardtest.Start(t, all...)
	w.way = newWay(t, w.doorward.InternalURL)
	return w
}

// client makes a client of the library; change may be nil.
func (w *world) client(change func(*doorward.Options)) *doorward.Client {
	w.t.Helper()
	options := doorward.Options{
		URL: w.doorward.URL, InternalURL: w.way.url, WebhookSecret: w.doorward.WebhookSecret, Clock: w.now, Log: logTo(&w.log),
	}
	if change != nil {
		change(&options)
	}
	client, err := doorward.New(options)
	if err != nil {
		w.t.Fatal(err)
	}
	return client
}

func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.skew.Load())) }

// settle waits for requests that the application works on although their browsers went away: a clock that is moved
// meanwhile would look like a request of a minute.
func (w *world) settle() {
	w.running.Lock()
	defer w.running.Unlock()
}

// advance moves all clocks.
func (w *world) advance(by time.Duration) {
	w.doorward.Advance(by.String())
	w.skew.Add(int64(by))
}

// api asks API v2 with the key.
func (w *world) api(method, path string, body any) map[string]any {
	w.t.Helper()
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, w.doorward.InternalURL+"/auth/api/v2"+path, bytes.NewReader(text))
	request.Header.Set("Authorization", "Bearer "+w.doorward.APIKey)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	var found map[string]any
	answered, _ := io.ReadAll(answer.Body)
	if len(answered) > 0 {
		_ = json.Unmarshal(answered, &found)
	}
	if answer.StatusCode >= 300 {
		w.t.Fatalf("%s %s: %s: %s", method, path, answer.Status, answered)
	}
	return found
}

// hello shows who is there.
func hello(w http.ResponseWriter, r *http.Request) {
	if person := doorward.FromContext(r.Context()); person != nil {
		fmt.Fprintf(w, "person %s of %s, %s", person.ID, person.Organization.ID, person.Email)
		return
	}
	fmt.Fprint(w, "nobody")
}

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

// fault is what may stand where Doorward should; pass asks Doorward after all.
type fault func(w http.ResponseWriter, r *http.Request, pass func(http.ResponseWriter))

// way is what lies between the application and Doorward.
type way struct {
	url      string
	upstream string
	mu       sync.Mutex
	asked    map[string]int         // by the last part of the path
	headers  map[string]http.Header // the latest
	fault    fault
}

func newWay(t *testing.T, upstream string) *way {
	v := &way{upstream: upstream, asked: map[string]int{}, headers: map[string]http.Header{}}
	server := httptest.NewServer(v)
	t.Cleanup(server.Close)
	v.url = server.URL
	return v
}

// fail has each request end in a fault; nil: they pass.
func (v *way) fail(fault fault) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.fault = fault
}

func (v *way) count(path string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked[path]
}

func (v *way) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	v.asked[name]++
	v.headers[name] = r.Header.Clone()
	fault := v.fault
	v.mu.Unlock()
	if fault != nil {
		fault(w, r, func(w http.ResponseWriter) { v.pass(w, r) })
		return
	}
	v.pass(w, r)
}

func (v *way) pass(w http.ResponseWriter, r *http.Request) {
	request, _ := http.NewRequest(r.Method, v.upstream+r.URL.RequestURI(), nil)
	request.Header = r.Header
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		hangUp(w)
		return
	}
	defer answer.Body.Close()
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(w, answer.Body)
}

func hangUp(w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = connection.(*net.TCPConn).SetLinger(0)
		_ = connection.Close()
	}
}
