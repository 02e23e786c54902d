# Eight threads change the same objects: what is atomic under a global lock stays so without one.
def in_threads(n = 8)
  n.times.map { |id| Thread.new { yield id } }.map(&:value)
end

array = []
in_threads { |id| 5000.times { |i| array << id * 5000 + i } }
p array.size, array.sort == (0...40_000).to_a # => 40000
# => true

taken = in_threads { list = []; while (x = array.pop) do list << x end; list }
p taken.flatten.sort == (0...40_000).to_a, array.empty? # => true
# => true

hash = {}
in_threads { |id| 3000.times { |i| hash[id * 3000 + i] = i; hash["#{id} #{i}"] = i; hash[[id, i]] = i } }
p hash.size, hash.count { |k, v| hash[k] == v } # => 72000
# => 72000

lock = Mutex.new
count = 0
in_threads { 3000.times { lock.synchronize { count += 1 } } }
p count # => 24000

string = +""
in_threads { |id| 1000.times { string << "abcdefgh" } }
p string.size, string == "abcdefgh" * 8000 # => 64000
# => true

object = Object.new
in_threads { |id| 50.times { |i| object.instance_variable_set("@v#{id}_#{i}", id * i) } }
p object.instance_variables.size # => 400
p 8.times.all? { |id| 50.times.all? { |i| object.instance_variable_get("@v#{id}_#{i}") == id * i } } # => true

queue = Queue.new
in_threads { |id| id.even? ? 2000.times { |i| queue << i } : 2000.times { queue.pop } }
p queue.empty? # => true
