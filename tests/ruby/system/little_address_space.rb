# parallel: no, it starts processes
# Where the address space is limited, a process takes less of it.
[4_000_000, 1_500_000].each do |kilobytes|
  puts IO.popen("ulimit -v #{kilobytes}; exec #{RbConfig.ruby} -e 'puts Array.new(100_000) { _1.to_s }.size'", &:read)
end
# => 100000
# => 100000
