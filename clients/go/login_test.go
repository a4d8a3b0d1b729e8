package doorward_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"doorward"
	"doorward/doorwardtest"
)

var hiddenField = regexp.MustCompile(`name="([a-z_]+)" value="([^"]*)"`)

// fields are the hidden fields of a page's forms.
func fields(body string) url.Values {
	form := url.Values{}
	for _, found := range hiddenField.FindAllStringSubmatch(body, -1) {
		form.Set(found[1], found[2])
	}
	return form
}

func TestSomebodySignsUpComesBackAndLogsOut(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect(doorward.Live())(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		person := doorward.FromContext(r.Context())
		fmt.Fprintf(rw, "%s of %s at %s %s", person.Email, person.Organization.Name, r.URL, dw.LogoutForm(r))
	})))
	b := w.browser()

	login := b.get("/?id=7").expect(t, http.StatusSeeOther).Header.Get("Location")
	if want := w.doorward.URL + "/auth/login?return_to=" + url.QueryEscape(w.app+"/?id=7"); login != want {
		t.Fatalf("the login is %s, not %s", login, want)
	}
	signup := strings.Replace(login, "/auth/login", "/auth/signup", 1)
	form := fields(b.get(signup).expect(t, http.StatusOK).body)
	form.Set("email", "ada@example.com")
	form.Set("password", "correct-horse-42")
	back := b.do(http.MethodPost, signup, form).expect(t, http.StatusSeeOther).Header.Get("Location")
	page := b.get(back).expect(t, http.StatusOK).body
	if !strings.HasPrefix(page, "ada@example.com of ") || !strings.Contains(page, " at /?id=7 ") {
		t.Fatalf("after the signup: %s", page)
	}

	action := regexp.MustCompile(`action="([^"]+)"`).FindStringSubmatch(page)[1]
	b.do(http.MethodPost, action, fields(page), "Sec-Fetch-Site", "same-site", "Origin", w.app).expect(t, http.StatusSeeOther)
	b.get("/").expect(t, http.StatusSeeOther)
	if w.log.count("level=WARN") > 0 {
		t.Errorf("advice without need: %s", w.log.text.String())
	}
}

func TestAnEndedSessionIsSeenAtOnceByLiveAndAtTheExpiryByTheToken(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/token", dw.Protect()(http.HandlerFunc(hello)))
	w.mux.Handle("/live", dw.Protect(doorward.Live())(http.HandlerFunc(hello)))
	b, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	b.get("/live").expect(t, http.StatusOK)
	w.api(http.MethodDelete, "/users/"+session.UserID+"/sessions", nil)
	w.doorward.Advance("1s")
	b.get("/token").expect(t, http.StatusOK)
	b.get("/live").expect(t, http.StatusSeeOther)
	w.advance(12 * time.Minute)
	b.get("/token").expect(t, http.StatusSeeOther)
	if b.has("svc_refresh") {
		t.Error("Doorward's own line that clears the cookie was not passed on")
	}
}

// kind is what a request says of itself.
type kind struct {
	name    string
	method  string
	headers []string
}

func TestNobodyIsToldWhatToDo(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(hello)))
	w.mux.Handle("/optional", dw.Optional(http.HandlerFunc(hello)))
	b := w.browser()
	for _, c := range []struct {
		kind
		status int
	}{
		{kind{"navigation", "GET", nil}, 303},
		{kind{"HEAD", "HEAD", nil}, 303},
		{kind{"old browser", "GET", []string{"Sec-Fetch-Mode", "", "Sec-Fetch-Dest", ""}}, 303},
		{kind{"program", "GET", []string{"Sec-Fetch-Mode", "", "Sec-Fetch-Dest", "", "Accept", "*/*"}}, 401},
		{kind{"fetch", "GET", []string{"Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"}}, 401},
		{kind{"frame", "GET", []string{"Sec-Fetch-Dest", "iframe"}}, 401},
		{kind{"form", "POST", nil}, 401},
		{kind{"prefetch", "GET", []string{"Sec-Purpose", "prefetch;prerender"}}, 401},
		{kind{"old prefetch", "GET", []string{"Purpose", "prefetch"}}, 401},
		{kind{"prefetch of Next.js", "GET", []string{"Next-Router-Prefetch", "1"}}, 401},
		{kind{"prefetch of a segment", "GET", []string{"Next-Router-Segment-Prefetch", "/_tree"}}, 401},
	} {
		answer := b.do(c.method, "/deep?a=b", nil, c.headers...)
		if answer.StatusCode != c.status || answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %s", c.name, answer.Status)
		}
		if got, is := answer.Header.Get("Location"), c.status == 303; is != strings.Contains(got, url.QueryEscape(w.app+"/deep?a=b")) {
			t.Errorf("%s: Location %s", c.name, got)
		}
	}
	htmx := b.get("/part", "HX-Request", "true", "Sec-Fetch-Mode", "cors", "HX-Current-URL", w.app+"/list?page=2").expect(t, 401)
	if want := w.doorward.URL + "/auth/login?return_to=" + url.QueryEscape(w.app+"/list?page=2"); htmx.Header.Get("HX-Redirect") != want {
		t.Errorf("htmx: %s", htmx.Header.Get("HX-Redirect"))
	}
	foreign := b.get("/part", "HX-Request", "true", "HX-Current-URL", "https://evil.example/x").expect(t, 401)
	if strings.Contains(foreign.Header.Get("HX-Redirect"), "evil") {
		t.Errorf("htmx: %s", foreign.Header.Get("HX-Redirect"))
	}
	if got := b.get("/optional").expect(t, http.StatusOK); got.body != "nobody" {
		t.Errorf("optional: %s", got.body)
	}
}

func TestLinksAreShortOnDoorwardsOwnOrigin(t *testing.T) {
	dw, err := doorward.New(doorward.Options{URL: "https://example.org/", AppURL: "https://EXAMPLE.org:443"})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := http.NewRequest(http.MethodGet, "http://internal:3000/list?page=2", nil)
	for got, want := range map[string]string{
		dw.LoginURL(r, ""):          "https://example.org/auth/login?return_to=%2Flist%3Fpage%3D2",
		dw.SignupURL(r, "/welcome"): "https://example.org/auth/signup?return_to=%2Fwelcome",
		dw.AccountURL():             "https://example.org/auth/account",
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
