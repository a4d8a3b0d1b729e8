package doorward

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/sha256"
	"math/big"
)

// keyFinder finds the key of a token. The error is an *Error with the code algorithm, key or unavailable.
type keyFinder interface {
	find(ctx context.Context, alg, kid string) (key, error)
}

// key verifies signatures of one algorithm.
type key interface {
	verifies(signed, signature []byte) bool
}

var (
	errAlgorithm  = &Error{Code: "algorithm", Message: "the token is signed by an algorithm that is not in use"}
	errUnknownKey = &Error{Code: "key", Message: "no key of Doorward fits the token: it may be of another Doorward, or too old"}
)

type ed25519Key ed25519.PublicKey

func (k ed25519Key) verifies(signed, signature []byte) bool {
	return ed25519.Verify(ed25519.PublicKey(k), signed, signature)
}

type es256Key ecdsa.PublicKey

func (k *es256Key) verifies(signed, signature []byte) bool {
	if len(signature) != 64 {
		return false
	}
	hash := sha256.Sum256(signed)
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	return ecdsa.Verify((*ecdsa.PublicKey)(k), hash[:], r, s)
}

type hs256Key []byte

func (k hs256Key) verifies(signed, signature []byte) bool {
	return hmac.Equal(sign(k, signed), signature)
}

func sign(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)
}

// sharedKeys are those of SVC_JWT_KEYS.
type sharedKeys map[string][]byte

func (s sharedKeys) find(_ context.Context, alg, kid string) (key, error) {
	if alg != "HS256" {
		return nil, errAlgorithm
	}
	secret, ok := s[kid]
	if !ok {
		return nil, errUnknownKey
	}
	return hs256Key(secret), nil
}

// jwk is a key of a set (RFC 7517).
type jwk struct {
	id, alg string
	key     key
}

// parseJWK reads a key for signatures; false: it is for something else.
func parseJWK(o object) (jwk, bool) {
	text := func(name string) string { value, _ := member[string](o, name); return value }
	var found jwk
	switch text("kty") + " " + text("crv") {
	case "OKP Ed25519":
		x, ok := decodePart(text("x"))
		if !ok || len(x) != ed25519.PublicKeySize {
			return jwk{}, false
		}
		found = jwk{text("kid"), "EdDSA", ed25519Key(x)}
	case "EC P-256":
		x, okX := decodePart(text("x"))
		y, okY := decodePart(text("y"))
		if !okX || !okY || len(x) != 32 || len(y) != 32 {
			return jwk{}, false
		}
		public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...))
		if err != nil {
			return jwk{}, false
		}
		found = jwk{text("kid"), "ES256", (*es256Key)(public)}
	default:
		return jwk{}, false
	}
	isFor := func(name, value string) bool { _, ok := o[name]; return !ok || text(name) == value }
	return found, isFor("use", "sig") && isFor("alg", found.alg)
}
