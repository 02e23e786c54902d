# args: --jit=always
# `Proc#call` with an Array of arguments, whose elements are taken out of it where the Proc takes them as they are.

@plain = proc { |a, b| [a, b] }
@one = proc { |a| a }
@lambda = ->(a, b) { [a, b] }
@rest = ->(*list) { list }
@named = ->(a, k: 1) { [a, k] }
@back = ->(a, b) { return b if a; [a, b] }
@method = method(:p).unbind.bind(self).to_proc
ruby2_keywords def marked(*args) = @named.call(*args)

def called(code, list) = code.call(*list)
def short(code, list) = code.(*list)
def more(code, list) = code.call(0, *list)
def with_block(code, list) = code.call(*list) { 1 }

def raised
  yield
rescue ArgumentError => e
  e.message
end

rounds = 200.times.map do |n|
  list = [n, n + 1]
  seen = [called(@plain, list) == list, called(@plain, [1]), called(@plain, [[1, 2]]), called(@plain, [1, 2, 3]), called(@plain, nil),
          called(@one, list) == n, called(@one, [[1, 2]]), called(@one, []), called(@lambda, list) == list, called(@rest, [1, 2, 3]),
          raised { called(@lambda, [1]) }, raised { called(@lambda, [[1, 2]]) }, called(@named, [1]), called(@plain, [1, {k: 2}]),
          marked(1, k: 3), short(@back, [1, 2]), short(@back, [nil, 2]), more(@lambda, [5]), with_block(@lambda, [1, 2]), called(@plain, 1..2)]
  # A Proc that gets the Array to keep does not get the caller's.
  kept = called(@rest, list)
  kept << 1
  seen << (list.size == 2)
end
p rounds.uniq.size, rounds.last
# => 1
# => [true, [1, nil], [1, 2], [1, 2], [nil, nil], true, [1, 2], nil, true, [1, 2, 3], "wrong number of arguments (given 1, expected 2)", "wrong number of arguments (given 1, expected 2)", [1, 1], [1, {k: 2}], [1, 3], 2, [nil, 2], [0, 5], [1, 2], [1, 2], true]

# What changes the Array, or ends the call, meanwhile.
@grows = ->(a, b) { @list << a; [a, b] }
p 100.times.map { @list = [1, 2]; [called(@grows, @list), @list] }.uniq
# => [[[1, 2], [1, 2, 1]]]
@throws = ->(a, b) { throw :out, a + b }
p 100.times.map { catch(:out) { called(@throws, [1, 2]) } }.uniq
# => [3]
fiber = Fiber.new { called(->(a, b) { Fiber.yield(a); b }, [1, 2]) }
p fiber.resume, fiber.resume
# => 1
# => 2

# Another `call`, from some time on.
class Proc
  alias_method :call_before, :call
end
p called(@lambda, [1, 2])
# => [1, 2]
Proc.class_eval { def call(*list) = [:mine, *list] }
p 100.times.map { called(@lambda, [1, 2]) }.uniq
# => [[:mine, 1, 2]]
