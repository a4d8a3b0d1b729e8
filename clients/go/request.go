package doorward

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// isNavigation reports whether a person opens a page, by the same rules as Doorward's gate.
func isNavigation(r *http.Request) bool {
	if (r.Method != http.MethodGet && r.Method != http.MethodHead) || isPrefetch(r) {
		return false
	}
	if len(r.Header["Sec-Fetch-Mode"]) == 0 {
		return strings.Contains(strings.Join(r.Header["Accept"], ","), "text/html")
	}
	return isForPage(r)
}

// isForm reports whether a browser shows the answer to a form as a page.
func isForm(r *http.Request) bool { return !isSafe(r) && isForPage(r) }

func isForPage(r *http.Request) bool {
	mode, target := r.Header["Sec-Fetch-Mode"], r.Header["Sec-Fetch-Dest"]
	return len(mode) == 1 && mode[0] == "navigate" &&
		(len(target) == 0 || len(target) == 1 && target[0] == "document")
}

// isPrefetch reports whether nobody may ever see the answer, so that new cookies might never arrive.
func isPrefetch(r *http.Request) bool {
	return slices.ContainsFunc(
		[]string{"Sec-Purpose", "Purpose", "Next-Router-Prefetch", "Next-Router-Segment-Prefetch"},
		func(name string) bool { return len(r.Header[name]) > 0 },
	)
}

// isOwn reports whether a request changes nothing, or was not sent by a page of another origin.
func (d *Client) isOwn(r *http.Request) bool {
	if isSafe(r) {
		return true
	}
	site, origin := r.Header["Sec-Fetch-Site"], r.Header["Origin"]
	if len(site) > 1 || len(origin) > 1 {
		return false
	}
	if len(site) == 1 && (site[0] == "same-origin" || site[0] == "none") {
		return true
	}
	if len(origin) == 1 {
		return d.isOwnOrigin(r, origin[0])
	}
	return len(site) == 0
}

// isSafe knows that a WebSocket begins with a GET, and may then change what it likes.
func isSafe(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return !isWebSocket(r)
	}
	return false
}

func isWebSocket(r *http.Request) bool {
	return r.Header.Get("Sec-WebSocket-Key") != "" || r.Header.Get("Sec-Fetch-Mode") == "websocket"
}

// isOwnOrigin compares with the host of the request where AppURL is not known; a proxy may have ended TLS.
func (d *Client) isOwnOrigin(r *http.Request, origin string) bool {
	if origin == d.appURL || slices.Contains(d.origins, origin) {
		return true
	}
	scheme, host, _ := strings.Cut(origin, "://")
	return d.appURL == "" && (scheme == "http" || scheme == "https") && strings.EqualFold(host, r.Host)
}

// appOrigin is the application's origin: AppURL, else the request's host. Doorward's cookies are Secure where its own
// origin is https, so the application must be, too.
func (d *Client) appOrigin(r *http.Request) string {
	if d.appURL != "" {
		return d.appURL
	}
	scheme, _, _ := strings.Cut(d.url, "://")
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + strings.ToLower(r.Host)
}

// currentPage is the page that sent a request, if it is the application's own.
func (d *Client) currentPage(r *http.Request) string {
	current, err := url.Parse(cmp.Or(r.Header.Get("HX-Current-URL"), r.Referer()))
	if err != nil || !strings.EqualFold(current.Scheme+"://"+current.Host, d.appOrigin(r)) {
		return "/"
	}
	return current.RequestURI()
}

func (d *Client) adviseOrigin(r *http.Request) {
	d.advice.say("wrong_origin", "a change was refused, as a page of another origin sent it: if that page is yours, set "+
		"DOORWARD_APP_URL to the application's origin, or add to Origins", "origin", r.Header.Get("Origin"),
		"expected", d.appOrigin(r))
}

// adviseCookies says why a login may not be seen here, and would be asked for again and again.
func (d *Client) adviseCookies(r *http.Request) {
	own, login := d.appOrigin(r), d.url
	if strings.HasPrefix(login, "https:") && strings.HasPrefix(own, "http:") {
		d.advice.say("http_cookie", "browsers do not send Doorward's cookies to plain http, as its own origin is https: open the "+
			"application by https, and set DOORWARD_APP_URL so", "application", own, "doorward", login)
	}
	if d.appURL != "" && !strings.EqualFold(r.Host, hostOf(own)) {
		d.advice.say("wrong_host", "the application was opened at another host than DOORWARD_APP_URL, which the login leads back "+
			"to: open it there, or correct the variable", "host", r.Host, "application", own)
	}
	if !shareCookies(hostnameOf(own), hostnameOf(login)) {
		d.advice.say("wrong_host", "browsers send Doorward's cookies to its own host, and, with SVC_COOKIE_DOMAIN, to sibling "+
			"hosts: open both at one host name", "application", own, "doorward", login)
	}
}

func hostOf(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return host
}

func hostnameOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// shareCookies reports whether one host's cookies may reach another: the same host, or names below one parent.
func shareCookies(one, other string) bool {
	parent := func(host string) string {
		labels := strings.Split(host, ".")
		return strings.Join(labels[max(0, len(labels)-2):], ".")
	}
	isName := func(host string) bool {
		return strings.Contains(host, ".") && !strings.ContainsAny(host[len(host)-1:], "0123456789]")
	}
	return one == other || (isName(one) && isName(other) && parent(one) == parent(other))
}
