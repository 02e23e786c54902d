# What the libraries keep in constants is for all Ractors.
Thread.report_on_exception = false
Warning[:experimental] = false
require "socket"
require "stringio"
require "date"
require "json"

def in_ractor(...) = Ractor.new(...).value

p in_ractor { Socket.new(:INET, :STREAM).tap { |s| s.setsockopt(:SOCKET, :REUSEADDR, true) }.getsockopt(:SOCKET, :REUSEADDR).bool } # => true
p in_ractor { Socket::Option.bool(:INET, :SOCKET, :KEEPALIVE, true).inspect } # => "#<Socket::Option: INET SOCKET KEEPALIVE 1>"
p in_ractor { StringIO.new("\uFEFFtext").tap(&:set_encoding_by_bom).read } # => "text"
p in_ractor { Date.new(2026, 1, 2).jisx0301 } # => "R08.01.02"
p in_ractor { [[1].each.with_index.to_a, 3.times.with_index(1).to_a, (1..2).each.with_index.to_a] } # => [[[1, 0]], [[0, 1], [1, 2], [2, 3]], [[1, 0], [2, 1]]]
p in_ractor { JSON.pretty_generate([1]) } # => "[\n  1\n]"

# Those of a program are not.
LIST = [+"a"]
begin
  Ractor.new { LIST }.value
rescue Ractor::RemoteError => error
  p error.cause.class # => Ractor::IsolationError
end
begin
  Ractor.new { Object.const_get(:LIST) }.value
rescue Ractor::RemoteError => error
  p error.cause.class # => Ractor::IsolationError
end
