# What `initialize` of a StringIO answers to a subclass is the object.
require "stringio"

class Buffer < StringIO
  def initialize(*)
    p super.equal?(self)
    super.binmode
  end
end

p Buffer.new.external_encoding # => true
# => #<Encoding:BINARY (ASCII-8BIT)>
p Buffer.new(+"text").read # => true
# => "text"
