# args: --race-report
# stderr: race: @table of a Lazy
# parallel: no, the report is the whole VM's
# A memoised method: both threads may make the value.
class Lazy
  def table = @table ||= {}
end
lazy = Lazy.new
2.times.map { Thread.new { lazy.table } }.each(&:join)
