require "json"
require_relative "verify"

JSON.parse($stdin.read).each do |one|
  body = one["body"].unpack1("m")
  genuine = genuine?(one["secret"], body, one["signature"])
  fresh = genuine_and_fresh?(one["secret"], body, one["id"], one["timestamp"], one["signatures"])
  puts "#{genuine} #{fresh}"
end
