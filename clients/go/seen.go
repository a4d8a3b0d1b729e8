package doorward

import (
	"context"
	"sync"
)

// rememberedEvents is how many events are remembered in memory.
const rememberedEvents = 10_000

// Seen remembers the events that were handled. An application of several processes, or one that must not handle an event
// again after a restart, keeps their ids in its database, for 30 days.
type Seen interface {
	// Has reports whether an event was handled.
	Has(ctx context.Context, id string) (bool, error)
	// Add remembers an event that has just been handled.
	Add(ctx context.Context, id string) error
}

// memory remembers the latest events.
type memory struct {
	mu   sync.Mutex
	ids  map[string]bool
	ring []string // the oldest is replaced first
	next int
}

func newMemory(capacity int) *memory {
	return &memory{ids: map[string]bool{}, ring: make([]string, capacity)}
}

func (m *memory) Has(_ context.Context, id string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ids[id], nil
}

func (m *memory) Add(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ids[id] {
		return nil
	}
	delete(m.ids, m.ring[m.next])
	m.ids[id], m.ring[m.next] = true, id
	m.next = (m.next + 1) % len(m.ring)
	return nil
}
