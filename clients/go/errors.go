package doorward

import (
	"log/slog"
	"sync"
	"time"
)

// Error is what is wrong, and how to mend it. Find it with [errors.As].
//
// Code is
//   - of an option: missing_url;
//   - of a token: malformed, algorithm, key, signature, typ, issuer, audience, expired or not_yet;
//   - unavailable, where Doorward could not be asked, or answered otherwise than it does: answer 503.
type Error struct {
	Code    string
	Message string
	// Err is the cause, if there is another.
	Err error
}

// Error returns code, message and cause.
func (e *Error) Error() string {
	if e.Err == nil {
		return "doorward: " + e.Code + ": " + e.Message
	}
	return "doorward: " + e.Code + ": " + e.Message + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// adviceInterval is how often the log may say the same.
const adviceInterval = time.Hour

// advice is the part of the log that teaches.
type advice struct {
	log   *slog.Logger
	clock func() time.Time

	mu   sync.Mutex
	said map[string]time.Time
}

func (a *advice) say(code, message string, details ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.clock()
	if last, ok := a.said[code]; ok && now.Sub(last) < adviceInterval {
		return
	}
	if a.said == nil {
		a.said = map[string]time.Time{}
	}
	a.said[code] = now
	a.log.Warn("doorward: "+message, append([]any{"code", code}, details...)...)
}
