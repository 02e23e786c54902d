# args: --race-report
# parallel: no, the report is the whole VM's
# What is loaded at its first use is loaded by one thread.
autoload :Loaded, File.join(__dir__, "_loaded.rb")
thread = Thread.new { Loaded.list[0] }
Thread.pass until $LOADED_FEATURES.any? { |file| file.end_with?("/_loaded.rb") }
p Loaded.list[0] # => 1
p thread.value # => 1
