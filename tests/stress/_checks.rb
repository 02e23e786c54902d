# What the stress programs check with.
def check(condition, message)
  raise message unless condition
end

def resident_kilobytes
  File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i
end

# Sizes after each ten rounds: later ones may differ by what the heap's blocks hold, not by a trend.
def check_flat(sizes)
  return if sizes.size < 4
  check(sizes.last < sizes[1] * 1.3 + 10_000, "memory grows: #{sizes.inspect} KiB")
end
