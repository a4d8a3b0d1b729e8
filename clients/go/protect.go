package doorward

import (
	"bufio"
	"fmt"
	"html/template"
	"net"
	"net/http"
)

// Protect returns a middleware that lets in only who is logged in and meets all rules; [FromContext] has the person. It
// renews sessions on the way, as [Client.Refresh] does.
//
//   - Nobody: a navigation goes to the login and comes back (303), a request of htmx gets 401 with HX-Redirect, any
//     other 401. A navigation is a GET or HEAD with Sec-Fetch-Mode: navigate, or without Sec-Fetch-Mode but with
//     text/html in Accept.
//   - Someone who does not meet the rules: 403; a navigation that lacks only [MFA] or [Fresh] is sent to the page that
//     asks for it (303). A form is not sent again after that: give the page that shows it the same rules.
//   - A change that a page of another origin sent: 403 (CSRF). Your own forms need no token.
//   - Doorward cannot be asked where it must be: 503.
//
// Without a rule that looks, the access token decides: a logout is seen within SVC_ACCESS_TTL. Add [Live] to see it
// within a second.
func (d *Client) Protect(rules ...Rule) func(http.Handler) http.Handler {
	var asked requirements
	for _, rule := range rules {
		rule(&asked)
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r = d.admit(w, r, asked.looks()); r == nil {
				return
			}
			person := FromContext(r.Context())
			if person == nil {
				d.sendToLogin(w, r)
			} else if lack := asked.lack(person, d.clock(), d.name); lack != nil {
				d.forbid(w, r, lack)
			} else {
				next.ServeHTTP(uncached(w), r)
			}
		})
	}
}

// Optional is a middleware that lets everybody in; [FromContext] has the person, or nil. It renews sessions and refuses
// changes of other origins as [Client.Protect] does, and answers 503 where it cannot tell who is there. A logout is seen
// within SVC_ACCESS_TTL.
func (d *Client) Optional(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r = d.admit(w, r, false); r != nil {
			next.ServeHTTP(uncached(w), r)
		}
	})
}

// admit returns the request with its person or nobody; nil: it has been answered.
func (d *Client) admit(w http.ResponseWriter, r *http.Request, looks bool) *http.Request {
	w.Header().Set("Cache-Control", "no-store")
	if !d.isOwn(r) {
		d.adviseOrigin(r)
		http.Error(w, "This request came from another site.", http.StatusForbidden)
		return nil
	}
	found, err := d.Refresh(w, r)
	if err == nil && looks && FromContext(found.Context()) != nil {
		found, err = d.lookAgain(found)
	}
	if err != nil {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "Please try again in a moment.", http.StatusServiceUnavailable)
		return nil
	}
	return found
}

// lookAgain replaces the person of a request by what Doorward knows of them now.
func (d *Client) lookAgain(r *http.Request) (*http.Request, error) {
	before, _ := d.visitOf(r)
	person, err := d.look(r.Context(), before.cookies)
	now := &visit{client: d, cookies: before.cookies, person: person}
	return r.WithContext(now.in(r.Context())), err
}

func (d *Client) sendToLogin(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	switch {
	case r.Header.Get("HX-Request") == "true":
		header.Set("HX-Redirect", d.LoginURL(r, d.currentPage(r)))
	case isNavigation(r):
		d.adviseCookies(r)
		http.Redirect(w, r, d.LoginURL(r, ""), http.StatusSeeOther)
		return
	}
	header.Set("WWW-Authenticate", `Cookie realm="`+d.url+`"`)
	d.refuse(w, r, http.StatusUnauthorized, "Please log in.", "Log in", d.LoginURL(r, d.currentPage(r)))
}

func (d *Client) forbid(w http.ResponseWriter, r *http.Request, lack *lack) {
	if lack.stepUp != "" && isNavigation(r) {
		http.Redirect(w, r, d.link("/auth/account/confirm", r, "")+lack.stepUp, http.StatusSeeOther)
		return
	}
	if lack.stepUp == "" {
		http.Error(w, "You may not open this.", http.StatusForbidden)
		return
	}
	confirm := d.link("/auth/account/confirm", r, d.currentPage(r)) + lack.stepUp
	d.refuse(w, r, http.StatusForbidden, "Please confirm first that it is you.", "Confirm", confirm)
}

// refuse answers a form with a page that leads on: a browser does not send it again after a redirect.
func (d *Client) refuse(w http.ResponseWriter, r *http.Request, status int, message, label, link string) {
	if !isForm(r) {
		http.Error(w, message, status)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>%s</title>`+
		`<p>%s Nothing was changed.</p><p><a href="%s">%s</a>, and send the form again.</p>`,
		message, message, template.HTMLEscapeString(link), label)
}

// uncached returns a writer whose answer no cache stores if it has Set-Cookie lines, whatever the handler says: a file
// that is public would take the cookies along.
func uncached(w http.ResponseWriter) http.ResponseWriter {
	if len(w.Header()["Set-Cookie"]) == 0 {
		return w
	}
	return &uncachedWriter{ResponseWriter: w}
}

type uncachedWriter struct{ http.ResponseWriter }

func (w *uncachedWriter) WriteHeader(status int) {
	w.Header().Set("Cache-Control", "private, no-store")
	w.ResponseWriter.WriteHeader(status)
}

func (w *uncachedWriter) Write(body []byte) (int, error) {
	w.Header().Set("Cache-Control", "private, no-store")
	return w.ResponseWriter.Write(body)
}

// Unwrap is for http.ResponseController; some handlers still ask for Flusher and Hijacker.
func (w *uncachedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *uncachedWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

func (w *uncachedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}
