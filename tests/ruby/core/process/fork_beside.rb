# parallel: no, it forks
# Forks beside native threads that the implementation has for itself: what one of them does at that moment is not waited for.
require "ripper"

FORKS = GC.stress ? 2 : 10

def children(count = FORKS)
  ended = Array.new(count) do |i|
    pid = fork do
      yield i
      exit!(7)
    end
    Process.wait(pid)
    $?.exitstatus || $?.termsig
  end
  ended.tally == { 7 => count } ? "fine" : ended.tally
end

# Runs `work` in a thread again and again meanwhile.
def beside(work)
  over = false
  begun = Queue.new
  thread = Thread.new do
    i = 0
    until over
      work.call(i += 1)
      begun << 1
    end
  end
  begun.pop
  yield
ensure
  over = true
  thread.join
end

source = "def a(b) = [b, { c: 1 }]\n" * (GC.stress ? 1 : 20)
deep = "(" * 60 + "a" + ")" * 60

p beside(->(_) { Ripper.sexp(source) }) { children { Ripper.lex(source) } } # => "fine"
p beside(->(i) { Regexp.new(deep + i.to_s) }) { children { |i| Regexp.new(deep + "x#{i}") =~ "ax#{i}" } } # => "fine"
p beside(->(i) { eval("#{"[" * 300}#{i}#{"]" * 300}") }) { children { |i| eval("#{"[" * 300}#{i}#{"]" * 300}") } } # => "fine"
p beside(->(i) { /[äöü]#{i % 9}/i =~ "xÄ#{i % 9}" }) { children { |i| /straße#{i}/i =~ "STRASSE#{i}" } } # => "fine"
p beside(->(_) { Thread.new { Thread.pass }.join }) { children { Thread.new { 1 }.value } } # => "fine"
p beside(->(_) { RubyVM.new("v") { 1 + 1 }.start.value }) { children(2) { RubyVM.new("v") { 1 + 1 }.start.value } } # => "fine"
