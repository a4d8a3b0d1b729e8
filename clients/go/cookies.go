package doorward

import (
	"net/http"
	"regexp"
	"strings"
)

// sessionCookies are a login's three cookies. A browser may send several of one name, for different paths or domains.
type sessionCookies struct{ access, refresh, csrf []string }

// maxCookieBytes is the longest value of a cookie that Doorward sets.
const maxCookieBytes = 4096

var usableCSRF = regexp.MustCompile(`^[A-Za-z0-9_-]{43,128}$`)

// readCookies reads raw headers, as http.Request.Cookies drops and changes values.
func (d *Client) readCookies(header http.Header) sessionCookies {
	var found sessionCookies
	for _, line := range header["Cookie"] {
		for part := range strings.SplitSeq(line, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			if value = unquote(value); !isReadable(value) {
				continue
			}
			switch name {
			case d.name + "_access":
				found.access = append(found.access, value)
			case d.name + "_refresh":
				found.refresh = append(found.refresh, value)
			case d.name + "_csrf":
				found.csrf = append(found.csrf, value)
			}
		}
	}
	return found
}

// unquote removes the double quotes in which a value may stand (RFC 6265, section 4.1.1).
func unquote(value string) string {
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		return value[1 : len(value)-1]
	}
	return value
}

// isReadable reports whether a value may be a token: others would not go into a header.
func isReadable(value string) bool {
	if value == "" || len(value) > maxCookieBytes {
		return false
	}
	for i := range len(value) {
		if value[i] <= ' ' || value[i] > '~' {
			return false
		}
	}
	return true
}

// csrfToken returns the first usable CSRF token, or nothing.
func (c sessionCookies) csrfToken() string {
	for _, value := range c.csrf {
		if usableCSRF.MatchString(value) {
			return value
		}
	}
	return ""
}

// header returns the cookies as Doorward gets them: these three, and no other of the browser's.
func (c sessionCookies) header(name string) string {
	var parts []string
	for _, cookie := range []struct {
		suffix string
		values []string
	}{{"_access=", c.access}, {"_refresh=", c.refresh}, {"_csrf=", c.csrf}} {
		for _, value := range cookie.values {
			parts = append(parts, name+cookie.suffix+value)
		}
	}
	return strings.Join(parts, "; ")
}

// after returns the cookies that a browser has once it took these Set-Cookie lines, and whether an access token is
// among them.
func (c sessionCookies) after(lines []string, name string) (sessionCookies, bool) {
	renewed := false
	for _, line := range lines {
		pair, _, _ := strings.Cut(line, ";")
		cookie, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if !isReadable(value) {
			continue
		}
		switch cookie {
		case name + "_access":
			c.access, renewed = []string{value}, true
		case name + "_refresh":
			c.refresh = []string{value}
		case name + "_csrf":
			c.csrf = []string{value}
		}
	}
	return c, renewed
}
