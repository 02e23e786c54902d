# args: --race-report
# stderr: race: @count of a Hot
# parallel: no, the report is the whole VM's
# A fiber that was suspended in native code before there was a second thread goes on noting.
class Hot
  attr_reader :thread

  def initialize = @count = 0
  def step = @count += 1

  def each
    [3].sort_by do |n|
      200.times { step }
      Fiber.yield
      step
      n
    end
  end
end
hot = Hot.new
fiber = Fiber.new { hot.each }
fiber.resume
thread = Thread.new { hot.step }
fiber.resume
thread.join
