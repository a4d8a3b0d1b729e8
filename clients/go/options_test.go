package doorward_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"doorward"
	"doorward/doorwardtest"
)

func logTo(b *syncBuffer) *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) }

func TestAMissingOrWrongVariableStopsTheStartAndIsNamed(t *testing.T) {
	for variable, value := range map[string]string{
		"DOORWARD_URL":                     "",
		"DOORWARD_INTERNAL_URL":            "localhost:8080",
		"DOORWARD_NAME":                    "Svc",
		"DOORWARD_AUDIENCE":                "an app",
		"DOORWARD_APP_URL":                 "https://app.example.org/path",
		"DOORWARD_WEBHOOK_SECRET":          " secret",
		"DOORWARD_WEBHOOK_SECRET_PREVIOUS": "whsec_!",
	} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv("DOORWARD_URL", "https://auth.example.org")
			t.Setenv(variable, value)
			dw, err := doorward.New(doorward.Options{})
			if err == nil || dw != nil || !strings.Contains(err.Error(), variable) {
				t.Fatalf("%v", err)
			}
			var missing *doorward.Error
			if isMissing := errors.As(err, &missing) && missing.Code == "missing_url"; isMissing != (value == "") {
				t.Errorf("%v", err)
			}
			if strings.Contains(err.Error(), "secret ") || strings.Contains(err.Error(), "whsec_!") {
				t.Errorf("the secret is in the error: %v", err)
			}
		})
	}
	t.Setenv("DOORWARD_URL", "ftp://x")
	t.Setenv("DOORWARD_NAME", "1")
	if _, err := doorward.New(doorward.Options{}); !strings.Contains(err.Error(), "DOORWARD_URL") || !strings.Contains(err.Error(), "DOORWARD_NAME") {
		t.Errorf("not all at once: %v", err)
	}
	t.Setenv("DOORWARD_URL", "https://auth.example.org")
	t.Setenv("DOORWARD_NAME", "acme")
	dw, err := doorward.New(doorward.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, "DOORWARD_WEBHOOK_SECRET") {
			t.Errorf("a receiver without a secret: %q", said)
		}
	}()
	dw.Webhook(nil)
}

func TestAnOpenedHostThatCookiesDoNotReachIsNamed(t *testing.T) {
	for code, c := range map[string]struct{ url, app, host string }{
		"wrong_host":  {"http://localhost:8080", "", "127.0.0.1:3000"},
		"http_cookie": {"https://auth.example.org", "http://app.example.org", "app.example.org"},
		"":            {"https://auth.example.org", "", "app.example.org"},
	} {
		var log syncBuffer
		dw, err := doorward.New(doorward.Options{URL: c.url, AppURL: c.app, Log: logTo(&log)})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			r := httptest.NewRequest(http.MethodGet, "http://"+c.host+"/", nil)
			r.Header.Set("Accept", "text/html")
			dw.Protect()(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), r)
		}
		if want := min(len(code), 1); log.count("code=") != want || log.count("code="+code) != want {
			t.Errorf("%s: %s", code, log.text.String())
		}
	}
}

func TestATokenForSomebodyElseIsRefusedWithAdvice(t *testing.T) {
	w := newWorld(t)
	b, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	for code, change := range map[string]func(*doorward.Options){
		"issuer":   func(o *doorward.Options) { o.Issuer = "https://auth.example.org" },
		"audience": func(o *doorward.Options) { o.Audience = "billing" },
	} {
		dw := w.client(change)
		_, err := dw.Verify(context.Background(), session.Cookies["svc_access"])
		var refused *doorward.Error
		if !errors.As(err, &refused) || refused.Code != code {
			t.Errorf("%s: %v", code, err)
		}
		// Nobody is sent to the login and back for ever.
		w.mux.Handle("/"+code, dw.Protect()(http.HandlerFunc(hello)))
		b.get("/"+code).expect(t, http.StatusServiceUnavailable)
		if w.log.count("code="+code+"_mismatch") == 0 {
			t.Errorf("no advice about %s", code)
		}
	}
}

func TestSharedKeysAreTheOnlyOnes(t *testing.T) {
	secret := strings.Repeat("k", 32)
	w := newWorld(t, "SVC_JWT_KEYS=one:"+base64Of(secret))
	dw := w.client(func(o *doorward.Options) { o.Keys = map[string][]byte{"one": []byte(secret)} })
	w.mux.Handle("/", dw.Protect()(http.HandlerFunc(hello)))
	b, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	b.get("/").expect(t, http.StatusOK)
	if w.way.count("jwks.json") != 0 {
		t.Error("keys were fetched")
	}
	for name, change := range map[string]func(*doorward.Options){
		"algorithm": func(o *doorward.Options) { o.Keys = nil },
		"key":       func(o *doorward.Options) { o.Keys = map[string][]byte{"two": []byte(secret)} },
		"signature": func(o *doorward.Options) { o.Keys = map[string][]byte{"one": []byte(strings.Repeat("l", 32))} },
	} {
		_, err := w.client(change).Verify(context.Background(), session.Cookies["svc_access"])
		var refused *doorward.Error
		if !errors.As(err, &refused) || refused.Code != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := doorward.New(doorward.Options{URL: w.doorward.URL, Keys: map[string][]byte{"one": []byte("short")}}); err == nil {
		t.Error("a short key passes")
	}
}

func TestTheGatesAssertionIsNoAccessTokenNorTheOtherWayRound(t *testing.T) {
	w := newWorld(t, "SVC_TRUSTED_PROXIES=127.0.0.1/32")
	dw := w.client(func(o *doorward.Options) { o.AppURL = w.app })
	b, session := w.loggedIn(doorwardtest.Fields{Email: "ada@example.com"})
	host := strings.TrimPrefix(w.app, "http://")
	gate := b.get(w.doorward.InternalURL+"/auth/gate", "X-Forwarded-Proto", "http", "X-Forwarded-Host", host, "X-Forwarded-Uri", "/")
	assertion := gate.expect(t, http.StatusOK).Header.Get("X-Svc-Assertion")
	person, err := dw.VerifyAssertion(context.Background(), assertion)
	if err != nil || person.ID != session.UserID || person.Email != "ada@example.com" || !person.EmailVerified || person.Organization.ID == "" {
		t.Errorf("%+v, %v", person, err)
	}
	for _, c := range []struct {
		verify func(context.Context, string) (*doorward.Person, error)
		token  string
	}{{dw.Verify, assertion}, {dw.VerifyAssertion, session.Cookies["svc_access"]}} {
		var refused *doorward.Error
		if _, err := c.verify(context.Background(), c.token); !errors.As(err, &refused) || refused.Code != "typ" {
			t.Errorf("%v", err)
		}
	}
	other := w.client(func(o *doorward.Options) { o.AppURL = "https://other.example.org" })
	if _, err := other.VerifyAssertion(context.Background(), assertion); err == nil {
		t.Error("another application takes the assertion")
	}
}
