require "base64"
require "json"
require "openssl"

FIXTURES = JSON.parse($stdin.read)

# The public key in DER: the algorithm's fixed beginning, and the bytes of the key (RFC 5480, RFC 8410).
def public_key(jwk)
  x, y = jwk.values_at("x", "y").map { |text| Base64.urlsafe_decode64(text.to_s) }
  fixed = jwk["kty"] == "EC" ? "3059301306072a8648ce3d020106082a8648ce3d03010703420004" : "302a300506032b6570032100"
  OpenSSL::PKey.read([fixed].pack("H*") + x + y)
end

# OpenSSL takes the two numbers of an ES256 signature in DER.
def der(signature)
  numbers = [signature[0, 32], signature[32..]].map { |bytes| OpenSSL::ASN1::Integer(OpenSSL::BN.new(bytes, 2)) }
  OpenSSL::ASN1::Sequence(numbers).to_der
end

def right?(token)
  header, claims, signature = token.split(".", -1)
  given = JSON.parse(Base64.urlsafe_decode64(header))
  jwk = FIXTURES["sets"]["both"]["keys"].find { |key| key["kid"] == given["kid"] && key["alg"] == given["alg"] }
  return false if jwk.nil? || given["typ"] != "at+jwt"

  signature = Base64.urlsafe_decode64(signature)
  return false if signature.bytesize != 64

  es256 = jwk["alg"] == "ES256"
  signed = public_key(jwk).verify(es256 ? "SHA256" : nil, es256 ? der(signature) : signature, "#{header}.#{claims}")
  claims = JSON.parse(Base64.urlsafe_decode64(claims))
  signed && claims["iss"] == FIXTURES["issuer"] && claims["aud"].include?(FIXTURES["audience"]) && claims["exp"] > Time.now.to_i
end

FIXTURES["tokens"].each { |fixture| puts right?(fixture["token"]) }
