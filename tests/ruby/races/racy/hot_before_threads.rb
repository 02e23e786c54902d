# args: --race-report
# stderr: race: @count of a Hot
# parallel: no, the report is the whole VM's
# What has run for long with one thread alone, and is compiled, is noted once there are two.
class Hot
  attr_reader :thread

  def initialize = @count = 0
  def step(i) = @count = @count + i

  def run(n)
    n.times do |i|
      step(i)
      @thread = Thread.new { step(1) } if i == n - 2
    end
  end
end
hot = Hot.new
hot.run(20_000)
hot.thread.join
