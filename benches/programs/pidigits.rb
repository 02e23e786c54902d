# Digits of pi by an unbounded spigot over rational transformations: big integers.
def pi_digits
  return enum_for(:pi_digits) unless block_given?

  numerator, accumulator, denominator = 1, 0, 1
  k = 0
  loop do
    k += 1
    odd = 2 * k + 1
    accumulator = (accumulator + 2 * numerator) * odd
    numerator *= k
    denominator *= odd
    next if numerator > accumulator

    digit = (numerator * 3 + accumulator) / denominator
    next if digit != (numerator * 4 + accumulator) / denominator

    yield digit
    accumulator = 10 * (accumulator - digit * denominator)
    numerator *= 10
  end
end

def first_digits(count)
  digits = []
  pi_digits do |digit|
    digits << digit
    break if digits.size == count
  end
  digits
end

count = (ARGV[0] || 1000).to_i
rounds = (ARGV[1] || 12).to_i
digits = first_digits(count)
(rounds - 1).times { raise "two runs differ" if first_digits(count) != digits }
digits.each_slice(10).with_index(1) do |slice, line|
  puts "#{slice.join.ljust(10)}\t:#{[line * 10, count].min}"
end
