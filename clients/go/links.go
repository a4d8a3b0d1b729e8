package doorward

import (
	"crypto/subtle"
	"html/template"
	"net/http"
	"net/url"
	"strings"
)

// LoginURL returns the address of the login, which leads back to returnTo: a path of this application, or empty for the
// address of the request.
func (d *Client) LoginURL(r *http.Request, returnTo string) string {
	return d.link("/auth/login", r, returnTo)
}

// SignupURL returns the address of the signup, which leads back as [Client.LoginURL] does.
func (d *Client) SignupURL(r *http.Request, returnTo string) string {
	return d.link("/auth/signup", r, returnTo)
}

// AccountURL returns the address of the pages where people look after their own account.
func (d *Client) AccountURL() string { return d.url + "/auth/account" }

// link returns a page of Doorward's that leads back to this application: by a path on Doorward's own origin, else by an
// absolute address, whose origin Doorward must know.
func (d *Client) link(page string, r *http.Request, returnTo string) string {
	if returnTo == "" {
		returnTo = addressOf(r)
	}
	if strings.HasPrefix(returnTo, "//") || len(returnTo) > longestReturnTo {
		returnTo = "/"
	}
	if own := d.appOrigin(r); own != d.url {
		returnTo = own + returnTo
	}
	return d.url + page + "?return_to=" + url.QueryEscape(returnTo)
}

// longestReturnTo is in bytes; Doorward, and proxies before it, refuse a longer way back.
const longestReturnTo = 1900

// addressOf returns path and query as they were asked for: handlers such as http.StripPrefix change r.URL.
func addressOf(r *http.Request) string {
	if strings.HasPrefix(r.RequestURI, "/") {
		return r.RequestURI
	}
	return r.URL.RequestURI()
}

// CSRFToken returns the CSRF token of the browser's cookie, for forms and scripts that Doorward or
// [Client.CheckCSRF] gets; empty where the browser has none.
func (d *Client) CSRFToken(r *http.Request) string {
	v, _ := d.visitOf(r)
	return v.cookies.csrfToken()
}

// CheckCSRF reports whether a request was sent by a page that can read the browser's CSRF token: in the header
// X-CSRF-Token, else in the form field csrf_token. It also refuses what [Client.Protect] refuses as sent by another
// origin. Behind Protect it is not needed; it is for applications that share their host with pages of others.
func (d *Client) CheckCSRF(r *http.Request) bool {
	if !d.isOwn(r) {
		return false
	}
	given := r.Header.Get("X-CSRF-Token")
	if given == "" {
		given = r.PostFormValue("csrf_token")
	}
	v, _ := d.visitOf(r)
	matches := false
	for _, token := range v.cookies.csrf {
		matches = matches || subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
	}
	return matches
}

// LogoutForm returns a form with a button that logs out. Doorward refuses it from pages that hide their origin: with a
// Referrer-Policy, use strict-origin-when-cross-origin.
func (d *Client) LogoutForm(r *http.Request) template.HTML {
	action := template.HTMLEscapeString(d.url + "/auth/sessions/logout")
	token := template.HTMLEscapeString(d.CSRFToken(r))
	return template.HTML(`<form method="post" action="` + action + `">` +
		`<input type="hidden" name="csrf_token" value="` + token + `"><button>Log out</button></form>`)
}
