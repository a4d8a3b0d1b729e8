package doorward_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"doorward"
	"doorward/doorwardtest"
)

var faults = map[string]fault{
	"stopped": func(w http.ResponseWriter, _ *http.Request, _ func(http.ResponseWriter)) { hangUp(w) },
	"slow": func(_ http.ResponseWriter, r *http.Request, _ func(http.ResponseWriter)) {
		<-r.Context().Done() // until the library gives up
	},
	"html":  says(http.StatusOK, "<h1>Welcome to our network</h1>"),
	"empty": says(http.StatusOK, "{}"),
	"400":   says(http.StatusBadRequest, ""),
	"404":   says(http.StatusNotFound, ""),
	"429":   says(http.StatusTooManyRequests, ""),
	"500":   says(http.StatusInternalServerError, ""),
	"503":   says(http.StatusServiceUnavailable, ""),
	"half": func(w http.ResponseWriter, _ *http.Request, pass func(http.ResponseWriter)) {
		whole := httptest.NewRecorder()
		pass(whole)
		maps.Copy(w.Header(), whole.Header())
		w.Header().Set("Content-Length", "500")
		_, _ = w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
	},
	"202": func(w http.ResponseWriter, _ *http.Request, pass func(http.ResponseWriter)) {
		right := httptest.NewRecorder()
		pass(right)
		maps.Copy(w.Header(), right.Header())
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write(right.Body.Bytes())
	},
	"elsewhere": func(w http.ResponseWriter, r *http.Request, pass func(http.ResponseWriter)) {
		if again := r.URL.Query().Has("again"); again {
			pass(w)
			return
		}
		w.Header().Set("Location", r.URL.RequestURI()+"&again")
		w.WriteHeader(http.StatusTemporaryRedirect)
	},
}

func says(status int, text string) fault {
	return func(w http.ResponseWriter, _ *http.Request, _ func(http.ResponseWriter)) {
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}
}

func TestADoorwardThatFailsLetsNobodyInAndLogsNobodyOut(t *testing.T) {
	w := newWorld(t)
	protected, live := w.client(nil), http.HandlerFunc(hello)
	b, _ := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	before := b.header()
	for name, fault := range faults {
		// Each has a way of its own, so that all may fail at once.
		way := newWay(t, w.doorward.InternalURL)
		direct := func(o *doorward.Options) { o.InternalURL = way.url }
		dw, fresh := w.client(direct), w.client(direct)
		path := "/" + name
		w.mux.Handle(path, dw.Protect()(live))
		w.mux.Handle(path+"/live", dw.Protect(doorward.Live())(live))
		w.mux.Handle(path+"/optional", dw.Optional(live))
		w.mux.Handle(path+"/first", fresh.Protect()(live))
		b.get(path).expect(t, http.StatusOK) // the keys are there now
		way.fail(fault)
	}
	started := time.Now()
	var all sync.WaitGroup
	for name := range faults {
		for _, c := range []struct {
			what, path, cookies string
			status              int
		}{
			{"kept keys", "", before, 200},
			{"no keys yet", "/first", before, 503},
			{"a refresh", "", withoutAccess(before), 503},
			{"a refresh of who may be anybody", "/optional", withoutAccess(before), 503},
			{"a look", "/live", before, 503},
		} {
			all.Go(func() {
				answer := b.get("/"+name+c.path, "Cookie", c.cookies)
				if answer.StatusCode != c.status || len(answer.Header["Set-Cookie"]) > 0 {
					t.Errorf("%s, %s: %s, %v", name, c.what, answer.Status, answer.Header["Set-Cookie"])
				}
			})
		}
	}
	all.Wait()
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("people wait for %s", took)
	}
	if b.header() != before {
		t.Error("a cookie changed")
	}
	for _, code := range []string{"keys_unreachable", "unavailable", "audience_mismatch"} {
		if w.log.count("code="+code) == 0 {
			t.Errorf("no advice about %s", code)
		}
	}
	if w.log.count("svc_refresh") > 0 || w.log.count("r1.") > 0 || w.log.count("eyJ") > 0 {
		t.Error("a token is in the log")
	}
	w.mux.Handle("/", protected.Protect()(live))
	b.get("/", "Cookie", withoutAccess(before)).expect(t, http.StatusOK)
}

func withoutAccess(cookies string) string {
	_, rest, _ := strings.Cut(cookies, "; ") // svc_access is the first
	return rest
}

func TestKeysThatWereMissingAreThereAsSoonAsDoorwardIs(t *testing.T) {
	w := newWorld(t, "SVC_ACCESS_TTL=48h")
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(hello)))
	b, _ := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	w.way.fail(faults["stopped"])
	b.get("/").expect(t, http.StatusServiceUnavailable)
	w.way.fail(nil)
	b.get("/").expect(t, http.StatusOK)
	// What was there stays good for a day, and no longer.
	w.way.fail(faults["html"])
	w.skew.Add(int64(23 * time.Hour))
	b.get("/").expect(t, http.StatusOK)
	w.skew.Add(int64(2 * time.Hour))
	b.get("/").expect(t, http.StatusServiceUnavailable)
}

func TestAKeyIsRotatedWhileRequestsRun(t *testing.T) {
	folder := t.TempDir()
	w := newWorld(t, "XDG_RUNTIME_DIR="+folder)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(hello)))
	var browsers []*browser
	for i := range 20 {
		b, _ := w.loggedIn(doorwardtest.Fields{Email: fmt.Sprintf("person-%d@example.com", i)})
		browsers = append(browsers, b)
	}
	old := keyID(t, browsers[0])
	w.rotate(folder)
	var all sync.WaitGroup
	var left atomic.Int64
	left.Store(200)
	for _, b := range browsers {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				b.get("/").expect(t, http.StatusOK)
			}
		})
	}
	for range 10 {
		w.advance(4 * time.Minute)
	}
	all.Wait()
	for _, b := range browsers {
		b.get("/").expect(t, http.StatusOK)
	}
	if keyID(t, browsers[0]) == old {
		t.Error("the key was not rotated: that shows nothing")
	}
	if got := w.way.count("jwks.json"); got > 12 {
		t.Errorf("%d fetches of keys in 40 minutes", got)
	}
}

// keyID is the key's id in the header of a browser's access token.
func keyID(t *testing.T, b *browser) string {
	t.Helper()
	for part := range strings.SplitSeq(b.header(), "; ") {
		if token, ok := strings.CutPrefix(part, "svc_access="); ok {
			return strings.Split(token, ".")[0]
		}
	}
	t.Fatal("no access token")
	return ""
}

// rotate runs `doorward keys rotate` beside the running Doorward.
func (w *world) rotate(folder string) {
	w.t.Helper()
	var databases []string
	_ = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".db") {
			databases = append(databases, path)
		}
		return nil
	})
	if len(databases) != 1 {
		w.t.Fatalf("databases: %v", databases)
	}
	command := exec.Command(doorwardProgram(w.t), "keys", "rotate")
	command.Env = append(os.Environ(), "SVC_DATA_DIR="+filepath.Dir(databases[0]), "SVC_BASE_URL="+w.doorward.URL)
	if output, err := command.CombinedOutput(); err != nil {
		w.t.Fatalf("keys rotate: %v: %s", err, output)
	}
}

func doorwardProgram(t *testing.T) string {
	t.Helper()
	if program := os.Getenv("DOORWARD_BIN"); program != "" {
		return program
	}
	program, err := exec.LookPath("doorward")
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func TestAClockThatIsWrong(t *testing.T) {
	w := newWorld(t)
	short := doorwardtest.Start(t, "SVC_ACCESS_TTL=2s")
	for _, c := range []struct {
		name   string
		server *doorwardtest.Server
		skew   time.Duration
		status int
		advice int
	}{
		{"61 s ahead", w.doorward, 61 * time.Second, 200, 0},
		{"61 s behind", w.doorward, -61 * time.Second, 200, 0},
		{"59 s ahead, tokens of two seconds", short, 59 * time.Second, 200, 0},
		{"65 s ahead, tokens of two seconds", short, 65 * time.Second, 503, 1},
	} {
		var log syncBuffer
		dw := w.client(func(o *doorward.Options) {
			o.URL, o.InternalURL, o.Log = c.server.URL, c.server.InternalURL, logTo(&log)
			o.Clock = func() time.Time { return time.Now().Add(c.skew) }
		})
		app := dw.Protect()(http.HandlerFunc(hello))
		path := "/" + strings.ReplaceAll(c.name, " ", "")
		w.mux.Handle(path, app)
		b := w.browser()
		for name, value := range c.server.Session(doorwardtest.Fields{Email: "ada@example.com"}).Cookies {
			b.cookies[name] = cookie{value: value}
		}
		for range 3 {
			if answer := b.get(path); answer.StatusCode != c.status {
				t.Errorf("%s: %s", c.name, answer.Status)
			}
		}
		if !b.has("svc_refresh") || log.count("code=clock_skew") != c.advice {
			t.Errorf("%s: advice %d times", c.name, log.count("code=clock_skew"))
		}
	}
}
