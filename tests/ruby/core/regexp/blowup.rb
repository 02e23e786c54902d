# Patterns known for exponential and quadratic searches: none takes long, whatever is found.
require_relative "../../../../benches/regexp/blowup"

found = []
Blowup.each(20_000) { |name, pattern, subject| found << name if pattern.match?(subject) }
puts found
# => quoted string
# => comment, lazy
# => stripped
# => clusters
# => cookie (cgi)
# => element (cgi)
# => attribute values (rexml)
# => multipart (rack)
