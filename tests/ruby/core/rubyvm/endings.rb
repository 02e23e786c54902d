# How VMs end: limits that nothing in them can put off, exit handlers, killing twice.

def ended(vm)
  vm.value
rescue RubyVM::Error => e
  e.message
end

# The time of a limit is over whatever the VM does then.
stubborn = [
  "begin; loop {}; ensure; sleep; end",
  "begin; sleep; ensure; while true; end; end",
  "at_exit { sleep }; sleep",
  "Thread.handle_interrupt(Object => :never) { loop {} }",
  "Thread.new { Thread.handle_interrupt(Object => :never) { sleep } }; sleep",
  "ObjectSpace.define_finalizer(Object.new, proc { sleep }); sleep"
]
vms = stubborn.map { |source| RubyVM.new("v", source: source, time_limit: 0.05).start }
puts vms.map { |vm| ended(vm) }.uniq # => VM v ran longer than its time limit

# A second kill ends the ensure clause that the first one has begun.
ready = RubyVM::Channel.new
vm = RubyVM.new("v") { |c| begin; c << 1; sleep; ensure; c << 2; sleep; end }.start(ready)
ready.recv
vm.kill
p ready.recv, vm.status # => 2
# => "aborting"
vm.kill
p ended(vm), vm.status # => nil
# => false

# Exit handlers see what ended the program, and have the last word on the status.
told = RubyVM::Channel.new
RubyVM.new("v") { |c| at_exit { c << $!.message }; raise "why" }.start(told).join rescue p $!.message # => "why"
p told.recv # => "why"
status = ->(source) { RubyVM.new("v", source: source).start.join.exit_status }
p status["exit 3"], status["at_exit { exit 7 }; exit 3"], status["at_exit { exit 0 }; exit 3"], status["at_exit { exit 4 }"] # => 3
# => 7
# => 0
# => 4
p status["at_exit { exit }; 1"], status["1"], status["exit false"], status["$stderr = File.open(File::NULL, 'w'); abort 'x'"] # => 0
# => 0
# => 1
# => 1

# Nor can anything put off a kill for ever: what goes on a second later is ended, and nothing more is begun.
ready = RubyVM::Channel.new
stubborn << "1000.times { at_exit { loop {} } }; sleep" << "1000.times { ObjectSpace.define_finalizer(Object.new, proc { loop {} }) }; sleep"
stubborn << "def deep(n) = n == 0 ? sleep : begin; deep(n - 1); ensure; loop {}; end; deep(1000)"
vms = stubborn.map { |source| RubyVM.new("v", source: "ARGV[0].to_s; #{source}").start.tap(&:kill) }
p vms.map { |vm| ended(vm) }.uniq, vms.map(&:status).uniq # => [nil]
# => [false]
