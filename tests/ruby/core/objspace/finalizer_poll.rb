# Finalizers run by themselves after a collection, on the thread that collected.
$ran = 0
def make(n)
  n.times { ObjectSpace.define_finalizer(Object.new, proc { $ran += 1 }) }
end
make(1000)
# No GC.start: what is allocated brings collections about.
200.times do
  Array.new(20_000) { +"x" }
  break if $ran > 500
end
p $ran > 500 # => true

# The same callable counts once; copies have the finalizers of their originals.
order = []
keep = Object.new
note = proc { |id| order << id }
p ObjectSpace.define_finalizer(keep, note) == [0, note] # => true
ObjectSpace.define_finalizer(keep, note)
def lose(object) = object.dup.object_id
id = Array.new(20) { lose(keep) }
10.times { Array.new(1000) { [] }; GC.start }
p (order & id).size > 10 # => true
p order.include?(keep.object_id) # => false
ObjectSpace.undefine_finalizer(keep)

# A finalizer that allocates, collects and makes more of them.
$depth = 0
again = proc do
  $depth += 1
  if $depth < 50
    5.times { ObjectSpace.define_finalizer(Object.new, again) }
    GC.start
  end
end
20.times { ObjectSpace.define_finalizer(Object.new, again) }
100.times { [].push(1); GC.start }
p $depth >= 10 # => true

# What is raised in one is a warning. (Some may run as late as at the end, where a machine stack still shows their object.)
def raising = ObjectSpace.define_finalizer(Object.new, proc { raise "lost" })
$stderr = File.open(File::NULL, "w")
20.times { raising }
GC.start
p $! # => nil

# On many threads.
$count = Queue.new
4.times.map do
  Thread.new do
    200.times { ObjectSpace.define_finalizer(Object.new, proc { $count << 1 }) }
    20.times { Array.new(500) { +"y" } }
  end
end.each(&:join)
GC.start
p $count.size > 600 # => true
# parallel: no, what a collection finds is the whole VM's
