# Verifies tests/fixtures/tokens.json with ruby-jwt, as its documentation has it.
require "json"
require "jwt"

fixtures = JSON.parse(File.read(ARGV[0]), symbolize_names: true)
fixtures[:sets].each do |set, keys|
  fixtures[:tokens].each do |fixture|
    next unless [:both, fixture[:alg].to_sym].include?(set)

    options = {
      algorithms: %w[EdDSA ES256], jwks: keys, verify_iss: true, iss: fixtures[:issuer],
      verify_aud: true, aud: fixtures[:audience]
    }
    outcome = begin
      JWT.decode(fixture[:token], nil, true, options)
      "accepted"
    rescue StandardError => e
      "refused #{e.class}: #{e.message.split.join(' ')}"
    end
    puts ["tokens", "ruby-jwt (Debian)", JWT.gem_version, set, fixture[:alg], fixture[:case], outcome].join("\t")
  end
end
