# args: --race-report
# parallel: no, the report is the whole VM's
# A SizedQueue orders both ways: the buffer is used again when there is room.
queue = SizedQueue.new(1)
buffer = [0]
taker = Thread.new { 4.times { queue.pop } }
4.times { |i| queue << i }
taker.join
buffer[0] += 1
p buffer # => [1]
