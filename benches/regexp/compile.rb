# frozen_string_literal: true

# Making patterns at run time: the time of 100,000 different ones, and the memory of those that are kept.
require_relative "cases"

# All of them: what dies would leave room for the next.
KEPT = []

def memory
  GC.start
  File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i
end

# Patterns of the kinds that programs make.
def source(kind, i)
  case kind
  when "words" then "word#{i}"
  when "routes" then "\\A/users/(?<id#{i}>\\d+)/posts/([^/]+)(?:\\.(json|xml))?\\z"
  when "alternatives" then "foo#{i}|bar#{i}|baz#{i}|qux"
  when "classes" then "[a-z#{i % 10}_][\\w.-]{2,#{3 + i}}@\\w+"
  end
end

# Each one is used, which is when some of the work is done.
%w[words routes alternatives classes].each do |kind|
  count = kind == "words" ? 100_000 : 25_000
  before = memory
  begun = Cases.clock
  kept = Array.new(count) do |i|
    regexp = Regexp.new(source(kind, i))
    regexp.match?("nothing")
    regexp
  end
  seconds = Cases.clock - begun
  KEPT << kept
  Cases.say("compile #{kind}", seconds / count, kept.size)
  grown = memory - before
  # Bytes, in the place of seconds.
  Cases.say("bytes #{kind}", grown * 1024.0 / count, kept.size)
end
