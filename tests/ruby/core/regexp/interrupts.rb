# A search that takes long ends when its thread is raised into or killed, and when its time is over, whatever runs it:
# the backtracking machine, with memory of failures or without, automata, searches for literals, from the end too. What is
# not ended goes on for minutes; the seconds here are for machines that have other work to do.
require "strscan"

SLOW = ("a" * 40 + "cb").freeze
LONG = ("a b " * 3_000_000).freeze
WAYS = {
  backtracking: -> { /\A(?:(a)|a)*\1b/.match?(SLOW) },
  memoised: -> { /^(?:a b |a |b )*(?=(?:a b |a |b )*x)c/.match?(LONG) },
  automaton: -> { LONG.match?(/[a-z]+ \w+ never/) },
  literal: -> { 40.times { LONG.match?(/never/) } },
  literals: -> { LONG.match?(/(?:never|ever|seldom)/) },
  groups: -> { LONG =~ /(\w) (\w) (\w) (?:x)/ },
  look: -> { LONG.match?(/\w(?= b a b a b a b c)/) },
  absent: -> { /(?~ab)*x/.match?(SLOW * 300) },
  rindex: -> { LONG.rindex(/never [a-z]+/) },
  rindex_machine: -> { SLOW.rindex(/(?:(a)|a)*\1b/) },
  scan: -> { LONG.scan(/(\w) (?!c)/).size },
  split: -> { LONG.split(/ (?!c)/).size },
  split_keep: -> { LONG.split(/\w\K /).size },
  gsub: -> { LONG.gsub(/\w(?! c)/, '<\0>').size },
  gsub_block: -> { LONG.gsub(/\w(?! c)/) { "x" }.size },
  sub: -> { (SLOW).sub(/(?:(a)|a)*\1b/, "x") },
  index: -> { LONG.index(/never [a-z]+/, 5) },
  slice: -> { LONG[/(\w+) never/, 1] },
  case: -> { case LONG when /\w never/ then 1 when /never$/ then 2 end },
  scanner: -> { StringScanner.new(LONG).scan_until(/\w never/) },
  scanner_slow: -> { StringScanner.new(SLOW).scan(/(?:(a)|a)*\1b/) },
  scanner_fixed: -> { StringScanner.new(LONG, fixed_anchor: true).skip_until(/\w never/) },
}

class Stop < StandardError; end
def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

# How long a thread that searches goes on when `act` ends it.
def ends_after(way)
  ready = Queue.new
  thread = Thread.new do
    Thread.current.report_on_exception = false
    ready << 1
    loop { way.call }
  rescue Stop
    :stopped
  end
  ready.pop
  sleep 0.02
  start = now
  yield thread
  thread.join
  now - start
end

late = []
WAYS.each do |name, way|
  kill = ends_after(way, &:kill)
  raised = ends_after(way) { |thread| thread.raise(Stop) }
  late << [name, kill, raised] if [kill, raised].max > 20
end
p late # => []

# Time.
Regexp.timeout = 0.05
over = WAYS.slice(:backtracking, :rindex_machine, :sub, :scanner_slow).filter_map do |name, way|
  start = now
  way.call
  [name, :ended]
rescue Regexp::TimeoutError
  [name, now - start] if now - start > 20
end
p over # => []
Regexp.timeout = nil

# A machine of its own that is ended.
vm = RubyVM.new("search") { loop { /\A(?:(a)|a)*\1b/.match?("a" * 40) } }
vm.start
sleep 0.05
start = now
vm.kill
p now - start < 1 # => true
