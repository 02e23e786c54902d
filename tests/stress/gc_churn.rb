# Object graphs are built, shared, changed and dropped by eight threads while one collects all the time.
#
# Usage: gc_churn.rb [SECONDS]
require_relative "_checks"

THREADS = 8
seconds = (ARGV[0] || 2).to_f
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

Node = Struct.new(:id, :left, :right, :text)

def build(depth, id)
  return nil if depth.zero?

  Node.new(id, build(depth - 1, id * 2), build(depth - 1, id * 2 + 1), "node #{id}")
end

def verify(node, id = 1)
  return 0 unless node

  check(node.id == id && node.text == "node #{id}", "node #{id} is damaged: #{node.id.inspect} #{node.text.inspect}")
  1 + verify(node.left, id * 2) + verify(node.right, id * 2 + 1)
end

collector = Thread.new do
  collections = 0
  while running.call
    GC.start
    collections += 1
    sleep 0.0005
  end
  collections
end

# A board of trees that all threads read and replace.
board = Array.new(16) { build(6, 1) }
mailboxes = Array.new(THREADS) { Queue.new }

workers = Array.new(THREADS) do |id|
  Thread.new do
    rounds = 0
    local = {}
    while running.call
      rounds += 1
      tree = build(7, 1)
      check(verify(tree) == 127, "a local tree lost nodes")
      board[(rounds + id) % 16] = tree
      check(verify(board[(rounds * 7 + id) % 16]) >= 63, "a shared tree lost nodes")

      # Letters to the neighbour: handed over, then owned there.
      letter = ["from #{id}", rounds, { nested: [rounds.to_s, rounds * 1.5] }]
      mailboxes[(id + 1) % THREADS] << letter
      begin
        text, number, rest = mailboxes[id].pop(true)
        check(text == "from #{(id - 1) % THREADS}", "a letter was damaged: #{text.inspect}")
        check(rest[:nested] == [number.to_s, number * 1.5], "a letter was damaged: #{rest.inspect}")
      rescue ThreadError
        # The mailbox is empty.
      end

      # Closures and fibers of memory that outlives the frame.
      adders = Array.new(20) { |i| ->(x) { x + i + rounds } }
      check(adders.sum { |adder| adder.call(1) } == 20 + 190 + 20 * rounds, "a closure is damaged")
      local["key #{rounds % 50}"] = adders
      large = "#{id}" * 10_000
      check(large.count(id.to_s) == 10_000, "a large string is damaged")
      check((2**200 + rounds) - 2**200 == rounds, "a bignum is damaged")

      # Short-lived threads inherit what their creator holds.
      if rounds % 10 == 0
        kept = [rounds]
        check(Thread.new(kept) { |list| list << id; list.sum }.value == rounds + id, "an argument is damaged")
      end
    end
    rounds
  end
end

workers.each { |worker| check(worker.value > 0, "a thread did nothing") }
check(collector.value > 0, "nothing was collected")
board.each { |tree| check(verify(tree) >= 63, "a shared tree lost nodes") }
puts "ok"
