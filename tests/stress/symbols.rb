# VMs whose threads make Symbols of the same few thousand names, keep some, drop the others and collect, all at once. Each Symbol
# has the name that it was made of, a name has one Symbol in all VMs as long as somebody holds it, and memory stays flat.
#
# Usage: symbols.rb [SECONDS]
require_relative "_checks"

seconds = (ARGV[0] || 2).to_f

VM = <<~'RUBY'
  seconds, seed, outbox = RubyVM::ARGV
  deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
  failures = Queue.new
  threads = Array.new(3) do |number|
    Thread.new do
      random = Random.new(seed * 100 + number)
      kept = {}
      while Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
        300.times do
          name = "name #{random.rand(3000)}"
          symbol = name.to_sym
          failures << [name, symbol] unless symbol.to_s == name
          kept[name] = symbol if random.rand(4) == 0
          kept.delete("name #{random.rand(3000)}")
        end
        kept.each { |name, symbol| failures << [name, symbol] unless symbol.name == name && symbol.equal?(name.to_sym) }
        "own #{seed} #{number} #{random.rand(1 << 40)}".to_sym
        name = "method_#{random.rand(20)}"
        Object.new.define_singleton_method(name.to_sym) { name }
        GC.start if random.rand(20) == 0
        # What others send is what they say it is.
        if (message = outbox.recv(timeout: 0))
          name, symbol = message
          failures << message unless symbol.to_s == name
        end
        outbox << [name, name.to_sym] if outbox.size < 20
      end
    end
  end
  threads.each(&:join)
  failures.empty? ? "ok" : failures.pop.inspect
RUBY

sizes = []
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
round = 0
while round < 4 || Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
  channel = RubyVM::Channel.new
  vms = Array.new(3) { |i| RubyVM.new("symbols", source: VM).start([seconds / 4, 0.2].max.clamp(0.1, 2.0), round * 10 + i, channel) }
  vms.each { |vm| check(vm.value == "ok", "a wrong Symbol: #{vm.value}") }
  sizes << resident_kilobytes
  round += 1
end
check_flat(sizes)
puts "ok"
