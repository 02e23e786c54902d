# What is stored in classes that have survived collections is kept by minor ones, however it got there; interned Strings that die are
# forgotten by them.

class Old
  class << self
    attr_accessor :kept
  end
  @kept = nil
end

module Mixin; end

GC.start
GC.start(full_mark: false)

# A collection, and cells of many sizes where dead ones lay.
def collect
  GC.start(full_mark: false)
  @junk = Array.new(40) { |i| [i.to_s * (i % 7), "junk #{i}".to_sym.name.dup, { i => i.to_s }] }
end

8.times do |i|
  Old.const_set("X#{i}", "constant #{i}")
  Old.class_variable_set("@@v#{i}", "variable #{i}")
  Old.kept = "ivar #{i}"
  Old.instance_variable_set("@own#{i}", "own #{i}")
  text = "method #{i}"
  Old.define_method("m#{i}") { text + self.class.kept }
  Old.define_singleton_method("s#{i}") { text }
  Mixin.define_method("mixed#{i}") { "mixed #{i}" }
  Old.include(Mixin) if i == 3
  Old.prepend(Module.new { define_method(:top) { "top #{i}" } }) if i == 5
  collect
  values = (0..i).map do |n|
    [Old.const_get("X#{n}"), Old.class_variable_get("@@v#{n}"), Old.instance_variable_get("@own#{n}"), Old.new.send("m#{n}"),
     Old.send("s#{n}")]
  end
  wanted = (0..i).map { |n| ["constant #{n}", "variable #{n}", "own #{n}", "method #{n}ivar #{i}", "method #{n}"] }
  raise "#{i}: #{values - wanted}" unless values == wanted
end
p Old.new.top # => "top 5"
p (0..7).all? { |i| Old.new.send("mixed#{i}") == "mixed #{i}" } # => true

# A constant is replaced, removed and set again.
Old.send(:remove_const, :X3)
Old.const_set(:X3, "again".upcase)
collect
p Old::X3 # => "AGAIN"

# Classes that die, beside others that stay.
alive = []
5.times do |i|
  3.times { Class.new(Old) { const_set(:DEAD, "dead") } }
  alive << Class.new(Old) { const_set(:ALIVE, "alive #{i}") }
  collect
end
p alive.map { |c| c.const_get(:ALIVE) } == (0...5).map { |i| "alive #{i}" } # => true
GC.start
p alive.all? { |c| Old.subclasses.include?(c) } # => true

# Interned Strings: those that live are found, those that died are made anew.
kept = (0...20).map { |i| -"kept #{i}" }
5.times do |round|
  20.times { |i| -"lost #{round} #{i}" }
  collect
  raise round.to_s unless kept.each_with_index.all? { |s, i| s.equal?(-"kept #{i}") }
  raise round.to_s unless (0...20).all? { |i| -"lost #{round} #{i}" == "lost #{round} #{i}" }
end
p kept.size # => 20
