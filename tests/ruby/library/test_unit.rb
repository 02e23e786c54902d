# The installed test-unit runs: it does without TracePoint.
begin
  require "test/unit"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require "stringio"
require "test/unit/ui/console/testrunner"

class Sums < Test::Unit::TestCase
  def test_right = assert_equal(4, 2 + 2)
  def test_wrong = assert_equal(5, 2 + 2)
  def test_raise = assert_raise(ZeroDivisionError) { 1 / 0 }
end

output = StringIO.new
runner = Test::Unit::UI::Console::TestRunner.new(Sums.suite, output:, use_color: false)
result = runner.start
p [result.run_count, result.failure_count, result.error_count] # => [3, 1, 0]
puts output.string[/^Failure: .*/] # => Failure: test_wrong(Sums)
p(defined?(TracePoint)) # => "constant"
Test::Unit::AutoRunner.need_auto_run = false
