# When the main thread ends, the others are killed after the at_exit blocks; their ensure clauses run.
at_exit { puts "at exit" }
started = Queue.new
Thread.new do
  started << true
  sleep
ensure
  puts "ensured"
end
Thread.new do
  started << true
  loop {}
ensure
  puts "ensured"
end
2.times { started.pop }
puts "main ends" # => main ends
# => at exit
# => ensured
# => ensured
# parallel: no, at_exit runs when the process ends
