# args: --race-report
# parallel: no, the report is the whole VM's
# What is loaded at its first use is loaded by one thread.
autoload :Loaded, File.join(__dir__, "_loaded.rb")
p 3.times.map { Thread.new { Loaded.list[0] } }.sum(&:value) # => 3
