# args: --race-report
# stderr: race: @result of a Job
# parallel: no, the report is the whole VM's
# The value of a thread is used before it is joined.
class Job
  attr_reader :result
  def start = @thread = Thread.new { @result = 42 }
  def finish = @thread.join
end
job = Job.new
job.start
job.result
job.finish
