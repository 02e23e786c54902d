# args: --race-report
# parallel: no, the report is the whole VM's
# A Monitor that is entered twice.
require "monitor"
class Box
  include MonitorMixin
  def initialize = (super(); @n = 0)
  def add = synchronize { synchronize { @n += 1 } }
end
box = Box.new
4.times.map { Thread.new { 3.times { box.add } } }.each(&:join)
p box.add # => 13
