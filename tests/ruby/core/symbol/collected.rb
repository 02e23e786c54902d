# Symbols that programs make of Strings are collected when nothing refers to them any more, wherever they were kept.
count = GC.stress ? 20 : 2000
made = ->(prefix) { Array.new(count) { |i| :"#{prefix} #{i}" } }
as_made = ->(list, prefix) { list.each_with_index.all? { |symbol, i| symbol.to_s == "#{prefix} #{i}" && symbol.equal?("#{prefix} #{i}".to_sym) } }
collect = -> { 3.times { GC.start; made["other"].size } }

# What holds them keeps them.
kept = made["array"]
small = [:"small #{count}"]
hash = made["key"].to_h { |key| [key, :"value of #{key}"] }
by_identity = {}.compare_by_identity
made["identity"].each { |key| by_identity[key] = key }
set = Set.new(made["set"])
pair = Struct.new(:a, :b).new(:"member #{count}", made["in a struct"])
object = Object.new
object.instance_variable_set(:@symbol, :"variable #{count}")
range = :"from #{count}"..:"to #{count}"
local = :"local #{count}"
closure = ->() { local }
fiber = Fiber.new { mine = :"fiber #{count}"; Fiber.yield; mine }
fiber.resume
waiting = Queue.new
thread = Thread.new { mine = :"thread #{count}"; waiting.pop; mine }
filled = Array.new(200, :"filled #{count}")
copy = kept.dup.push(1, 2).rotate(-2).drop(2)
chained = made["chain"].each_slice(7).map(&:reverse).to_a
collect[]
p as_made[kept, "array"], as_made[copy, "array"], as_made[set.to_a, "set"], as_made[pair.b, "in a struct"]
# => true
# => true
# => true
# => true
p hash.all? { |key, value| value == :"value of #{key}" && hash[key.to_s.to_sym].equal?(value) }
# => true
p by_identity.all? { |key, value| key.equal?(value) && by_identity.key?(key.name.to_sym) }, chained.flat_map(&:reverse) == made["chain"]
# => true
# => true
p [small[0], pair.a, object.instance_variable_get(:@symbol), range, closure.(), fiber.resume].map { |v| v.to_s.sub(count.to_s, "n").sub(count.to_s, "n") }
# => ["small n", "member n", "variable n", "from n..to n", "local n", "fiber n"]
waiting << nil
p thread.value == :"thread #{count}", filled.uniq == [:"filled #{count}"]
# => true
# => true

# A name that is used as one stays, under the Symbol that it has.
name = :"method_made_#{count}"
id = name.object_id
object.define_singleton_method(name) { 1 }
constant = :"Constant#{count}"
Object.const_set(constant, 2)
key = :"thread_local_#{count}"
Thread.current[key] = 3
weak = ObjectSpace::WeakMap.new
weak[:"weak #{count}"] = :"weak value #{count}"
name = constant = key = nil
collect[]
p object.singleton_methods.map(&:to_s) == ["method_made_#{count}"], object.send("method_made_#{count}"), "method_made_#{count}".to_sym.object_id == id
# => true
# => 1
# => true
p Object.const_get("Constant#{count}"), Thread.current["thread_local_#{count}"], weak[:"weak #{count}"] == :"weak value #{count}"
# => 2
# => 3
# => true

# Keywords, Marshal, JSON.
def keywords(a: 0, **rest) = rest
rest = keywords(**made["keyword"].to_h { |k| [k, k] })
p rest.size == count, rest.all? { |k, v| k.equal?(v) }
# => true
# => true
dumped = Marshal.load(Marshal.dump([made["dumped"], made["dumped"]]))
require "json"
json = JSON.parse(JSON.generate(made["json"].to_h { |k| [k, k] }), symbolize_names: true)
collect[]
p as_made[dumped[0], "dumped"], dumped[0] == dumped[1], as_made[json.keys, "json"]
# => true
# => true
# => true
p made["to_proc"].map(&:inspect).last == ":\"to_proc #{count - 1}\"", made["b"].zip(made["a"]).map { |b, a| b <=> a }.uniq
# => true
# => [1]

# Those that nothing refers to go: their names are not among all Symbols any more. Some may be found on a stack.
def left(prefix) = Symbol.all_symbols.count { |symbol| symbol.start_with?(prefix) }
Thread.new { made["dead"].size }.join
collect[]
Thread.new { p left("dead ") <= count / 2 }.join
# => true
Thread.new { p left("array ") == count }.join
# => true
