# public, private and protected, in all their forms.
class Account
  def initialize(balance) = @balance = balance
  def >(other) = balance > other.balance
  def call_private_with_self = self.secret
  def call_private = secret
  def set = (self.writer = 5)

  protected

  attr_reader :balance

  private

  def secret = "secret"
  attr_writer :writer

  public

  def open = "open"

  private def inline = 1
  def after_inline = 2

  def named = 3
  private :named
  def a1 = 1
  def a2 = 2
  private :a1, :a2
end
a, b = Account.new(2), Account.new(1)
p a > b, a.call_private, a.call_private_with_self, a.set, a.open, a.after_inline
# => true
# => "secret"
# => "secret"
# => 5
# => "open"
# => 2
%i[balance secret inline named a2 writer=].each do |name|
  a.public_send(name)
rescue NoMethodError => e
  puts e.name
  # => balance
  # => secret
  # => inline
  # => named
  # => a2
  # => writer=
end
p a.send(:secret), a.respond_to?(:secret), a.respond_to?(:secret, true)
# => "secret"
# => false
# => true
p Account.private_instance_methods(false).sort, Account.protected_instance_methods
# => [:a1, :a2, :initialize, :inline, :named, :secret, :writer=]
# => [:balance]

class Sub < Account
  public :secret
  def use = balance
end
p Sub.new(7).secret, Sub.new(7).use
# => "secret"
# => 7
p Sub.public_method_defined?(:secret), Account.public_method_defined?(:secret)
# => true
# => false

class Tool
  def self.helper = 1
  private_class_method :helper
  def self.use = helper
  private_class_method def self.other = 2
  CONST = 1
  private_constant :CONST
  def self.const = CONST
end
p Tool.use, Tool.const
# => 1
# => 1
[-> { Tool.helper }, -> { Tool.other }, -> { Tool::CONST }].each do |action|
  action.call
rescue NameError => e
  p e.class, e.name
  # => NoMethodError
  # => :helper
  # => NoMethodError
  # => :other
  # => NameError
  # => :CONST
end

module Util
  module_function

  def shout(text) = text.upcase
end
p Util.shout("a") # => "A"
class UsesUtil
  include Util
  def go = shout("b")
end
p UsesUtil.new.go, UsesUtil.new.respond_to?(:shout)
# => "B"
# => false
def top_level = :top
p Object.private_method_defined?(:top_level) # => true
begin
  1.top_level
rescue NoMethodError => e
  p e.name # => :top_level
end
# parallel: no, methods of the top level become methods of the module it is loaded into
