# Messages of several sizes, which go to another VM and come back, in turn: what else happens on the machine happens to
# all of them alike. Prints the median round trip of each size, in microseconds.
#
# Usage: sizes.rb KIND ROUNDS SIZE…
#
# KIND: string (the object that comes back is the one that goes next), fresh_string (each one is new, made before the clock
# starts), array.
kind, rounds, *sizes = ARGV
sizes.map!(&:to_i)
EACH = 10

def make(kind, size)
  kind == "array" ? Array.new(size) { |i| i } : "x" * size
end

there, back = RubyVM::Channel.new, RubyVM::Channel.new
vm = RubyVM.new("echo") do |from, to|
  while (message = from.recv)
    to.send(message)
  end
end
vm.start(there, back)

kept = sizes.to_h { |size| [size, make(kind, size)] }
times = sizes.to_h { |size| [size, []] }
rounds.to_i.times do |round|
  objects = kind == "fresh_string" ? sizes.to_h { |size| [size, Array.new(EACH) { make(kind, size) }] } : nil
  EACH.times do |i|
    sizes.each do |size|
      message = objects ? objects[size].pop : kept[size]
      before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      there.send(message)
      answer = back.recv
      after = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      kept[size] = answer unless objects
      # Neither the first round counts nor the first of each.
      times[size] << after - before if round > 0 && i > 0
    end
  end
end
there.send(nil)
vm.join
times.each { |size, all| puts format("%d: %.2f", size, all.sort[all.size / 2] * 1e6) }
