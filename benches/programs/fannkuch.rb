# Fannkuch: flips of pancake stacks over all permutations.
def count_flips(permutation)
  stack = permutation.dup
  flips = 0
  while (first = stack[0]) != 0
    low = 0
    high = first
    while low < high
      stack[low], stack[high] = stack[high], stack[low]
      low += 1
      high -= 1
    end
    flips += 1
  end
  flips
end

def fannkuch(n)
  permutation = (0...n).to_a
  counts = Array.new(n, 0)
  max_flips = 0
  checksum = 0
  index = 0

  loop do
    flips = permutation[0] == 0 ? 0 : count_flips(permutation)
    max_flips = flips if flips > max_flips
    checksum += index.even? ? flips : -flips
    index += 1

    # The next permutation rotates ever longer prefixes by one.
    length = 1
    loop do
      return [checksum, max_flips] if length >= n

      first = permutation[0]
      i = 0
      while i < length
        permutation[i] = permutation[i + 1]
        i += 1
      end
      permutation[length] = first
      counts[length] += 1
      break if counts[length] <= length

      counts[length] = 0
      length += 1
    end
  end
end

n = (ARGV[0] || 9).to_i
checksum, flips = fannkuch(n)
puts checksum
puts "Pfannkuchen(#{n}) = #{flips}"
