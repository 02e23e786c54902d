# nil.extend; an inspect that changes its frozen object.
# parallel: no, it changes NilClass

module Greeting
  def greeting = "hello from #{inspect}"
end
nil.extend(Greeting)
p nil.greeting # => "hello from nil"
p NilClass.include?(Greeting) # => true

class Memo
  def inspect = @memo ||= super
end
begin
  Memo.new.freeze.inspect
rescue FrozenError => e
  p e.message.gsub(/0x\h+/, "0x") # => "can't modify frozen Memo:  ..."
end
begin
  Memo.new.freeze.instance_variable_set(:@a, 1)
rescue FrozenError => e
  p e.message.gsub(/0x\h+/, "0x") # => "can't modify frozen Memo:  ..."
end
begin
  nil.instance_variable_set(:@a, 1)
rescue FrozenError => e
  p e.message # => "can't modify frozen NilClass: nil"
end

require "stringio"
io = StringIO.new(String.new(encoding: "US-ASCII"))
io.print "\xC3"
p io.string # => "\xC3"
