package doorward_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

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
