# What wait of a Monitor's condition answers.
require "monitor"

monitor = Monitor.new
cond = monitor.new_cond
monitor.synchronize do
  p cond.wait(0.001) # => false
  Thread.new { monitor.synchronize { cond.signal } }
  p cond.wait(60) # => true
  Thread.new { monitor.synchronize { cond.broadcast } }
  p cond.wait # => true
end

# A condition may be made before the monitor.
class Early
  include MonitorMixin
  attr_reader :cond
  def initialize = (@cond = new_cond; super)
end
early = Early.new
p early.synchronize { early.cond.wait(0.001) } # => false
p (early.send(:mon_initialize)) # => nil
p [Thread::Queue.new, Thread::SizedQueue.new(1), Thread::ConditionVariable.new].map { |one| one.dup rescue $!.message[/undefined method 'initialize_copy'/] }.uniq # => ["undefined method 'initialize_copy'"]
