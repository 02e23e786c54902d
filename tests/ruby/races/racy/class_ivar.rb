# args: --race-report
# stderr: race: @config of a Class
# parallel: no, the report is the whole VM's
# An instance variable of a class.
class App
  def self.configure(value) = @config = value
end
[1, 2].map { |n| Thread.new { App.configure(n) } }.each(&:join)
