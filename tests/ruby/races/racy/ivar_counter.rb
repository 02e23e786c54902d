# args: --race-report
# stderr: race: @count of a Counter
# parallel: no, the report is the whole VM's
# An instance variable is counted up without a lock.
class Counter
  def initialize = @count = 0
  def increment = @count += 1
end
counter = Counter.new
2.times.map { Thread.new { counter.increment } }.each(&:join)
