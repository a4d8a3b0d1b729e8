package doorward_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
