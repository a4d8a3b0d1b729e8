package doorward

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const (
	keySetBytes = 256 << 10
	// A key set is fetched anew after its max-age, within these bounds; else after an hour.
	minKeyAge, defaultKeyAge = 5 * time.Minute, time.Hour
	// maxKeyAge is how long it stays good where Doorward does not answer.
	maxKeyAge = 24 * time.Hour
	// unknownInterval is how often a key id that nobody knows may cause a fetch.
	unknownInterval = time.Minute
	// retryInterval is how soon a failed fetch of a set that is there is tried again.
	retryInterval = 10 * time.Second
)

// keySet keeps Doorward's public keys.
type keySet struct {
	client *Client

	mu        sync.Mutex
	keys      []jwk
	fetchedAt time.Time // zero: never
	dueAt     time.Time
	unknownAt time.Time // the last fetch for an unknown id
	running   *keyFetch
	err       error // of the last fetch
}

// keyFetch is a fetch under way, which all who need it wait for.
type keyFetch struct{ done chan struct{} }

func (s *keySet) find(ctx context.Context, alg, kid string) (key, error) {
	if alg != "EdDSA" && alg != "ES256" {
		return nil, errAlgorithm
	}
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	found, isKnown := s.lookUp(alg, kid)
	if !isKnown {
		if err := s.fetchUnknown(ctx); err != nil {
			return nil, err
		}
		found, _ = s.lookUp(alg, kid)
	}
	if found == nil {
		return nil, errUnknownKey
	}
	return found, nil
}

// lookUp returns the key, if it fits the algorithm, and whether its id is known.
func (s *keySet) lookUp(alg, kid string) (found key, isKnown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.keys {
		if k.id == kid {
			isKnown = true
			if k.alg == alg {
				return k.key, true
			}
		}
	}
	return nil, isKnown
}

// prepare makes sure that there is a set. It waits for the first one only; a later one is fetched in the background.
func (s *keySet) prepare(ctx context.Context) error {
	s.mu.Lock()
	now := s.client.clock()
	if !s.fetchedAt.IsZero() && now.Sub(s.fetchedAt) < maxKeyAge {
		if !now.Before(s.dueAt) {
			s.start(now)
		}
		s.mu.Unlock()
		return nil
	}
	fetch := s.start(now)
	s.mu.Unlock()
	return s.wait(ctx, fetch)
}

// fetchUnknown fetches the set for an id that is not in it, at most once a minute.
func (s *keySet) fetchUnknown(ctx context.Context) error {
	s.mu.Lock()
	now := s.client.clock()
	if s.running == nil && now.Sub(s.unknownAt) < unknownInterval {
		defer s.mu.Unlock()
		return s.err
	}
	if s.running == nil {
		s.unknownAt = now
	}
	fetch := s.start(now)
	s.mu.Unlock()
	return s.wait(ctx, fetch)
}

// start begins a fetch, unless one is under way; s.mu is held.
func (s *keySet) start(now time.Time) *keyFetch {
	if s.running == nil {
		s.running = &keyFetch{done: make(chan struct{})}
		go s.fetch(s.running, now)
	}
	return s.running
}

func (s *keySet) wait(ctx context.Context, fetch *keyFetch) error {
	select {
	case <-fetch.done:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.err
	case <-ctx.Done():
		return &Error{Code: "unavailable", Message: "the request ended before Doorward's keys were there", Err: ctx.Err()}
	}
}

func (s *keySet) fetch(fetch *keyFetch, now time.Time) {
	keys, age, err := s.client.fetchKeys()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = nil
	s.err = err
	if err == nil {
		s.keys, s.fetchedAt, s.dueAt = keys, now, now.Add(age)
	} else {
		s.dueAt = now.Add(retryInterval)
	}
	close(fetch.done)
}

// fetchKeys asks Doorward for its keys, and returns how long they are good.
func (d *Client) fetchKeys() ([]jwk, time.Duration, error) {
	const path = "/auth/.well-known/jwks.json"
	answer, err := d.ask(context.Background(), http.MethodGet, path, nil, keySetBytes)
	if err == nil && answer.status != http.StatusOK {
		err = errors.New("it answered " + strconv.Itoa(answer.status))
	}
	var keys []jwk
	if err == nil {
		keys, err = parseKeySet(answer.body)
	}
	if err != nil {
		d.advice.say("keys_unreachable", "the keys of Doorward cannot be fetched: start it, or set DOORWARD_INTERNAL_URL "+
			"to where this server reaches it", "url", d.internalURL+path, "error", err)
		return nil, 0, &Error{Code: "unavailable", Message: "the keys of Doorward cannot be fetched", Err: err}
	}
	return keys, keyAge(answer.header.Get("Cache-Control")), nil
}

func parseKeySet(body []byte) ([]jwk, error) {
	set, _ := parseObject(body)
	list, ok := member[[]json.RawMessage](set, "keys")
	if !ok {
		return nil, errors.New("its answer is no key set")
	}
	var keys []jwk
	for _, raw := range list {
		o, _ := parseObject(raw)
		k, fits := parseJWK(o)
		if !fits {
			// Its id stays known, so that it causes no fetch.
			k = jwk{}
			k.id, _ = member[string](o, "kid")
		}
		keys = append(keys, k)
	}
	return keys, nil
}

var maxAge = regexp.MustCompile(`(?i)(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])`)

func keyAge(cacheControl string) time.Duration {
	found := maxAge.FindStringSubmatch(cacheControl)
	if found == nil {
		return defaultKeyAge
	}
	seconds, _ := strconv.Atoi(found[1])
	return min(max(time.Duration(seconds)*time.Second, minKeyAge), maxKeyAge)
}
