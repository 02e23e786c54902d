# What `various.c` does. Run by `crates/cli/tests/extensions.rs`, which compiles the extension.
require "various"
require "coverage"
require "tempfile"

def check(what, got, wanted)
  return if got == wanted

  puts "#{what}: #{got.inspect} instead of #{wanted.inspect}"
  exit 1
end

check "what extconf.rb found", Various.found, 42
check "numbers", Various.numbers, [-3, 2**64 - 1, 2**63 - 1]
seconds, nanos = Various.now
check "now", [(Time.now.to_i - seconds).abs < 60, nanos.between?(0, 999_999_999)], [true, true]
check "no object of a program", [1, "a", nil, Object].map { Various.imemo?(_1) }, [false] * 4
check "singleton classes", [String.singleton_class, "a".singleton_class, Kernel.singleton_class, String, Comparable, "a", 1].map { Various.singleton?(_1) },
      [true, true, true, false, false, false, false]

thread = Thread.new { Various.stop }
Thread.pass until thread.stop?
check "stopped", [thread.status, thread.run.value], ["sleep", nil]

# Tables.
check "a walk whose list is made anew", Various.walks, [*0..7, *100...140, 5]
check "a walk that checks", Various.checks, [0, 1, :gone, 1]
check "tables", Various.tables, [0, 2, 7, 27, true, "kEY", false, true, 0]

# Events; the target may be nil or, as gems have it, 0.
events = [nil, false].map { |target| Various.trace(target) { Fiber.new { Fiber.yield }.resume; (raise "x" rescue 1) } }
check "events", events, [%i[switch switch rescue]] * 2
begin
  Various.trace(Thread.current) {}
rescue NotImplementedError => e
  refused = e.class
end
check "for one thread", refused, NotImplementedError

# Coverage.
check "no coverage", Various.coverages, false
Coverage.start
Tempfile.create(["covered", ".rb"]) do |file|
  file.write("a = 1\n\na + 1\n")
  file.close
  load file.path
  check "coverage", Various.coverages[file.path][0], [1, nil, 1]
end
Coverage.result
check "no coverage any more", Various.coverages, false
puts "ok"
