# parallel: no, it stops all threads again and again
# Threads that gather all objects while others collect: what they get stays alive.
ROUNDS = GC.stress ? 1 : 12
stop = false
collecting = Array.new(2) { Thread.new { GC.start(full_mark: false) until stop } }
making = Thread.new { Array.new(100) { |i| ["text #{i}"] } until stop }
threads = Array.new(4) do
  Thread.new do
    ROUNDS.times.sum do
      all = ObjectSpace.each_object(Array).to_a
      GC.start(full_mark: false)
      all.all? { |list| list.size >= 0 && list.first.class } ? 1 : 0
    end
  end
end
p threads.sum(&:value) == 4 * ROUNDS # => true
stop = true
[*collecting, making].each(&:join)
