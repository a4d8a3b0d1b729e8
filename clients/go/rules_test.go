package doorward_test

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"doorward"
	"doorward/doorwardtest"
)

func TestRulesDecideAsTheGateDoes(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	ada, owner := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	own := w.api(http.MethodGet, "/users/"+owner.UserID, nil)["organizations"].([]any)[0].(map[string]any)["id"].(string)
	team := w.api(http.MethodPost, "/organizations", map[string]any{"name": "Team", "owner_id": owner.UserID})["id"].(string)
	bob := w.doorward.Session(doorwardtest.Fields{Email: "bob@example.com"})
	w.api(http.MethodPost, "/organizations/"+team+"/members", map[string]any{"user_id": bob.UserID, "role": "admin"})
	member, _ := w.loggedIn(doorwardtest.Fields{Email: "bob@example.com", OrganizationID: team})
	w.api(http.MethodPatch, "/users/"+w.doorward.Session(doorwardtest.Fields{Email: "eve@example.com"}).UserID,
		map[string]any{"roles": []string{"svc:auditor"}})
	auditor, _ := w.loggedIn(doorwardtest.Fields{Email: "eve@example.com"})
	strong, _ := w.loggedIn(doorwardtest.Fields{Email: "eve@example.com", MFA: true})
	carl := w.api(http.MethodPost, "/users", map[string]any{"email": "carl@example.com", "password": "correct-horse-42"})
	unverified := w.browser()
	form := fields(unverified.get(w.doorward.URL + "/auth/login").body)
	form.Set("email", carl["email"].(string))
	form.Set("password", "correct-horse-42")
	unverified.do(http.MethodPost, w.doorward.URL+"/auth/login", form).expect(t, http.StatusSeeOther)

	for i, c := range []struct {
		name   string
		rules  []doorward.Rule
		passes *browser
		fails  *browser
	}{
		{"organization", []doorward.Rule{doorward.Organization(own)}, ada, member},
		{"organization of several", []doorward.Rule{doorward.Organization(team)}, member, ada},
		{"role", []doorward.Rule{doorward.Role("admin")}, member, nil},
		{"greater role", []doorward.Rule{doorward.Role("owner")}, ada, member},
		{"platform", []doorward.Rule{doorward.Platform("auditor")}, auditor, ada},
		{"other platform", []doorward.Rule{doorward.Platform("monitor")}, nil, auditor},
		{"verified", []doorward.Rule{doorward.Verified()}, ada, unverified},
		{"mfa", []doorward.Rule{doorward.MFA()}, strong, ada},
		{"all at once", []doorward.Rule{doorward.MFA(), doorward.Platform("auditor"), doorward.Fresh(time.Hour)}, strong, auditor},
		{"fresh", []doorward.Rule{doorward.Fresh(15 * time.Minute)}, ada, nil},
	} {
		path := "/" + string(rune('a'+i))
		w.mux.Handle(path, dw.Protect(c.rules...)(http.HandlerFunc(hello)))
		if c.passes != nil {
			if got := c.passes.get(path); got.StatusCode != http.StatusOK {
				t.Errorf("%s: %s for who meets it", c.name, got.Status)
			}
		}
		if c.fails != nil {
			if got := c.fails.post(path); got.StatusCode != http.StatusForbidden {
				t.Errorf("%s: %s for who does not meet it", c.name, got.Status)
			}
		}
	}
}

func TestOnlyWhatAPersonCanShowLeadsToTheConfirmation(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.Handle("/mfa", dw.Protect(doorward.MFA())(http.HandlerFunc(hello)))
	w.mux.Handle("/fresh", dw.Protect(doorward.Fresh(15*time.Minute))(http.HandlerFunc(hello)))
	w.mux.Handle("/admin", dw.Protect(doorward.MFA(), doorward.Platform("admin"))(http.HandlerFunc(hello)))
	b, _ := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	w.advance(16 * time.Minute)
	for path, query := range map[string]string{"/mfa": "&mfa=1", "/fresh": "&max_age=900"} {
		want := w.doorward.URL + "/auth/account/confirm?return_to=" + url.QueryEscape(w.app+path) + query
		confirm := b.get(path).expect(t, http.StatusSeeOther).Header.Get("Location")
		if confirm != want {
			t.Errorf("%s leads to %s, not %s", path, confirm, want)
		}
		if page := b.get(confirm).expect(t, http.StatusOK); !strings.Contains(page.body, "<form") && !strings.Contains(page.body, "<a ") {
			t.Errorf("%s: Doorward does not know the address: %s", path, page.body)
		}
		b.get(path, "Sec-Fetch-Mode", "cors").expect(t, http.StatusForbidden)
	}
	b.get("/admin").expect(t, http.StatusForbidden)
	// A form is not sent again after a redirect: its answer leads on from the page that has it.
	for referer, back := range map[string]string{w.app + "/cart?id=7": w.app + "/cart?id=7", "https://evil.example/x": w.app + "/"} {
		form := func(who *browser, path, page, query string, status int) {
			want := w.doorward.URL + page + "?return_to=" + url.QueryEscape(back) + query
			answer := who.do("POST", path, nil, "Referer", referer).expect(t, status)
			if !strings.Contains(answer.body, `href="`+template.HTMLEscapeString(want)+`"`) {
				t.Errorf("%s does not lead to %s: %s", path, want, answer.body)
			}
		}
		form(b, "/fresh", "/auth/account/confirm", "&max_age=900", http.StatusForbidden)
		form(w.browser(), "/fresh", "/auth/login", "", http.StatusUnauthorized)
	}
}

func TestARuleThatCannotBeReadStopsTheStart(t *testing.T) {
	for name, rule := range map[string]func() doorward.Rule{
		"an empty organization":  func() doorward.Rule { return doorward.Organization("") },
		"an organization's name": func() doorward.Rule { return doorward.Organization("Crew") },
		"an unknown role":        func() doorward.Rule { return doorward.Role("Admin") },
		"an unknown platform":    func() doorward.Rule { return doorward.Platform("") },
		"no time":                func() doorward.Rule { return doorward.Fresh(0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s passes", name)
				}
			}()
			rule()
		}()
	}
}

func TestChangesOfOtherOriginsAreRefused(t *testing.T) {
	w := newWorld(t)
	dw := w.client(func(o *doorward.Options) { o.Origins = []string{"https://admin.example.org"} })
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(hello)))
	w.mux.Handle("/optional", dw.Optional(http.HandlerFunc(hello)))
	named := w.client(func(o *doorward.Options) { o.AppURL = "https://app.example.org" })
	w.mux.Handle("/named", named.Protect()(http.HandlerFunc(hello)))
	b, _ := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	for _, c := range []struct {
		path, site, origin string
		passes             bool
	}{
		{"/", "same-origin", "", true},
		{"/", "same-origin", "null", true}, // a page without referrer
		{"/", "none", "", true},
		{"/", "", "", true}, // a program
		{"/", "", w.app, true},
		{"/", "cross-site", "https://admin.example.org", true},
		{"/", "same-site", w.app, true},
		{"/", "same-site", "", false},
		{"/", "cross-site", "", false},
		{"/", "", "null", false},
		{"/", "cross-site", "null", false},
		{"/", "", "https://evil.example", false},
		{"/", "", w.app + ".evil.example", false},
		{"/", "", w.doorward.URL, false},
		{"/optional", "cross-site", "", false},
		{"/named", "", "https://app.example.org", true},
		{"/named", "", w.app, false}, // the host of the request counts only where AppURL is not known
	} {
		answer := b.post(c.path, "Sec-Fetch-Site", c.site, "Origin", c.origin)
		if (answer.StatusCode == http.StatusOK) != c.passes || (!c.passes && answer.StatusCode != http.StatusForbidden) {
			t.Errorf("%s, Sec-Fetch-Site %q, Origin %q: %s", c.path, c.site, c.origin, answer.Status)
		}
	}
	b.get("/", "Sec-Fetch-Site", "cross-site").expect(t, http.StatusOK)
	b.get("/", "Sec-Fetch-Site", "cross-site", "Sec-WebSocket-Key", "x").expect(t, http.StatusForbidden)
	if got := w.log.count("code=wrong_origin"); got != 2 {
		t.Errorf("two clients gave advice about a wrong origin %d times", got)
	}
}

func TestATokenOfTheCookieShowsWhoMayReadIt(t *testing.T) {
	w := newWorld(t)
	dw := w.client(nil)
	w.mux.HandleFunc("/", func(rw http.ResponseWriter, r *http.Request) {
		if !dw.CheckCSRF(r) {
			http.Error(rw, dw.CSRFToken(r), http.StatusForbidden)
		}
	})
	b, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	right := session.Cookies["svc_csrf"]
	if got := b.post("/").expect(t, http.StatusForbidden).body; strings.TrimSpace(got) != right {
		t.Errorf("the token is %q", got)
	}
	b.do(http.MethodPost, "/", url.Values{"csrf_token": {right}}).expect(t, http.StatusOK)
	b.post("/", "X-CSRF-Token", right).expect(t, http.StatusOK)
	b.do(http.MethodPost, "/", url.Values{"csrf_token": {right}}, "X-CSRF-Token", "wrong").expect(t, http.StatusForbidden)
	b.post("/", "X-CSRF-Token", right, "Sec-Fetch-Site", "same-site").expect(t, http.StatusForbidden)
	w.browser().post("/", "X-CSRF-Token", "").expect(t, http.StatusForbidden)
}
