# args: --race-report
# stderr: race: local variable sum
# parallel: no, the report is the whole VM's
# A local variable two blocks out.
sum = 0
2.times.map do |i|
  Thread.new { [i].each { |n| sum += n } }
end.each(&:join)
