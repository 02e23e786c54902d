# Eight threads change the same objects: what is atomic under a global lock stays so without one.
# Collecting at every allocation, fewer rounds say as much.
ROUNDS = GC.stress ? 25 : 3000
def in_threads(n = 8)
  n.times.map { |id| Thread.new { yield id } }.map(&:value)
end

array = []
in_threads { |id| ROUNDS.times { |i| array << id * ROUNDS + i } }
p array.size == 8 * ROUNDS, array.sort == (0...8 * ROUNDS).to_a # => true
# => true

taken = in_threads { list = []; while (x = array.pop) do list << x end; list }
p taken.flatten.sort == (0...8 * ROUNDS).to_a, array.empty? # => true
# => true

hash = {}
in_threads { |id| ROUNDS.times { |i| hash[id * ROUNDS + i] = i; hash["#{id} #{i}"] = i; hash[[id, i]] = i } }
p hash.size == 24 * ROUNDS, hash.count { |k, v| hash[k] == v } == 24 * ROUNDS # => true
# => true

lock = Mutex.new
count = 0
in_threads { ROUNDS.times { lock.synchronize { count += 1 } } }
p count == 8 * ROUNDS # => true

string = +""
in_threads { |id| ROUNDS.times { string << "abcdefgh" } }
p string.size == 64 * ROUNDS, string == "abcdefgh" * 8 * ROUNDS # => true
# => true

object = Object.new
in_threads { |id| 10.times { |i| object.instance_variable_set("@v#{id}_#{i}", id * i) } }
p object.instance_variables.size # => 80
p 8.times.all? { |id| 10.times.all? { |i| object.instance_variable_get("@v#{id}_#{i}") == id * i } } # => true

queue = Queue.new
in_threads { |id| id.even? ? ROUNDS.times { |i| queue << i } : ROUNDS.times { queue.pop } }
p queue.empty? # => true
