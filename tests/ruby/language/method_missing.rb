# method_missing and respond_to_missing?, with arguments, blocks and super.
class Ghost
  def initialize = @calls = []
  attr_reader :calls

  def method_missing(name, *args, **kw, &block)
    case name.to_s
    when /\Aget_(.*)/ then "got #{$1}"
    when /=\z/ then @calls << [name, args]
    when "block" then block.call(*args)
    when "kw" then kw.to_a
    else super
    end
  end

  def respond_to_missing?(name, include_private = false) = name.start_with?("get_") || super
end
g = Ghost.new
p g.get_name # => "got name"
g.value = 5
p g.calls # => [[:value=, [5]]]
p g.block(2) { |x| x * 3 } # => 6
p g.kw(a: 1) # => [[:a, 1]]
p g.respond_to?(:get_x), g.respond_to?(:other)
# => true
# => false
p g.method(:get_it).call # => "got it"
begin
  g.unknown(1)
rescue NoMethodError => e
  p e.name, e.args, e.receiver.equal?(g)
  # => :unknown
  # => [1]
  # => true
end
begin
  Ghost.new.instance_eval { unknown_local }
rescue NameError => e
  p e.class, e.name
  # => NameError
  # => :unknown_local
end
p g.public_send(:get_dynamic), g.send("get_string")
# => "got dynamic"
# => "got string"
p %w[get_a get_b].map { |name| g.__send__(name) } # => ["got a", "got b"]
p [g].map(&:get_mapped) # => ["got mapped"]

class Proxy < BasicObject
  def initialize(target) = @target = target
  def method_missing(name, ...) = @target.__send__(name, ...)
  def respond_to_missing?(*) = true
end
proxy = Proxy.new([3, 1, 2])
p proxy.sort, proxy.size, proxy.map { |x| x + 1 }
# => [1, 2, 3]
# => 3
# => [4, 2, 3]
p proxy[0] # => 3
p proxy == proxy, proxy.class
# => true
# => Array

class Recorder
  def self.method_missing(name, *args) = name == :configure ? args : super
  def self.respond_to_missing?(name, all = false) = name == :configure || super
end
p Recorder.configure(1, 2), Recorder.respond_to?(:configure)
# => [1, 2]
# => true
begin
  Recorder.nothing
rescue NoMethodError => e
  p e.name # => :nothing
end
