# frozen_string_literal: true

# Making patterns at run time: the time of 100,000 different ones, and the memory of those that are kept.
require_relative "cases"
require "rbconfig"

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

# So many patterns of a kind. Each one is used, which is when some of the work is done.
def make(kind, count)
  Array.new(count) do |i|
    regexp = Regexp.new(source(kind, i))
    regexp.match?("nothing")
    regexp
  end
end

# With a kind as argument: the bytes that a pattern takes. In a process of its own, where nothing that another kind left is used again.
if (kind = ARGV[0])
  # What dies would leave room for the next.
  kept = [make(kind, 2000)]
  before = memory
  kept << make(kind, 50_000)
  puts (memory - before) * 1024.0 / kept.last.size
  exit
end

%w[words routes alternatives classes].each do |kind|
  begun = Cases.clock
  kept = make(kind, kind == "words" ? 100_000 : 25_000)
  Cases.say("compile #{kind}", (Cases.clock - begun) / kept.size, kept.size)
  # Bytes, in the place of seconds.
  Cases.say("bytes #{kind}", Float(IO.popen([RbConfig.ruby, __FILE__, kind], &:read)), kept.size)
end
