# A Hash that stands for all keyword arguments: whoever is called gets one of its own, with what was in it when it was passed.

def rest(*list) = list
def named(**opts) = opts
def both(a, y: 1) = [a, y]
def none(a, **nil) = a
def yielded(**opts) = yield(**opts)
def passed(...) = named(...)
def anonymous(**) = named(**)

h = {y: 3}
p rest(**h), named(**h), both(1, **h), yielded(**h) { |**o| o }, passed(**h), anonymous(**h)
# => [{y: 3}]
# => {y: 3}
# => [1, 3]
# => {y: 3}
# => {y: 3}
# => {y: 3}
p named(**h).equal?(h), rest(**h)[0].equal?(h), passed(**h).equal?(h), anonymous(**h).equal?(h), yielded(**h) { |**o| o.equal?(h) }
# => false
# => false
# => false
# => false
# => false
rest(**h)[0][:w] = 1
named(**h)[:w] = 1
p h
# => {y: 3}

e = {}
p rest(**e), named(**e), both(1, **e), rest(**nil), named(**nil), none(1, **e)
# => []
# => {}
# => [1, 1]
# => []
# => {}
# => 1

frozen = {y: 1}.freeze
p named(**frozen).frozen?, rest(**frozen)[0].frozen?
# => false
# => false

# The block is evaluated behind it, and does not change what is passed.
g = {y: 1}
p rest(**g, &(g[:z] = 2; nil)), g
# => [{y: 1}]
# => {y: 1, z: 2}
@g = {y: 1}
def change = (@g.clear; nil)
p rest(**@g, &change), @g
# => [{y: 1}]
# => {}

# What is no Hash is made one.
class Converted
  def to_hash = {y: 8}
end
p rest(**Converted.new), both(1, **Converted.new), named(**Converted.new)
# => [{y: 8}]
# => [1, 8]
# => {y: 8}
begin
  rest(**3)
rescue TypeError => e
  p e.message
end
# => "no implicit conversion of Integer into Hash"

# Other keys than Symbols, and names that are not known.
m = {"s" => 1}
p rest(**m), named(**m)
# => [{"s" => 1}]
# => {"s" => 1}
[m, {q: 1}].each do |hash|
  both(1, **hash)
rescue ArgumentError => e
  p e.message
end
# => "unknown keyword: \"s\""
# => "unknown keyword: :q"
begin
  none(1, **h)
rescue ArgumentError => e
  p e.message
end
# => "no keywords accepted"

# Through methods that pass on what they are given.
class Above
  def m(a, y: 0) = [a, y]
  def n(a) = a
end
class Below < Above
  def m(*args, **opts, &block) = super(*args, **opts, &block)
  def n(*args, **opts, &block) = super(*args, **opts, &block)
end
p Below.new.m(1, y: 2), Below.new.m(1), Below.new.n(1), Below.new.n({y: 1})
# => [1, 2]
# => [1, 0]
# => 1
# => {y: 1}
p 100.times.map { [Below.new.m(1, y: 2), Below.new.m(1), Below.new.n(1)] }.uniq
# => [[[1, 2], [1, 0], 1]]
