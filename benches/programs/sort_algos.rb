# Sorting algorithms written in Ruby beside the built-in ones.
class Dice
  def initialize(seed)
    @state = seed
  end

  def roll
    @state ^= (@state << 13) & 0xffffffff
    @state ^= @state >> 17
    @state ^= (@state << 5) & 0xffffffff
  end
end

def quick_sort(list, low = 0, high = list.size - 1)
  while low < high
    pivot = list[(low + high) / 2]
    i = low
    j = high
    while i <= j
      i += 1 while list[i] < pivot
      j -= 1 while list[j] > pivot
      next unless i <= j

      list[i], list[j] = list[j], list[i]
      i += 1
      j -= 1
    end
    quick_sort(list, low, j)
    low = i
  end
  list
end

def merge_sort(list)
  return list if list.size <= 1

  middle = list.size / 2
  merge(merge_sort(list[0...middle]), merge_sort(list[middle..]))
end

def merge(left, right)
  result = []
  i = j = 0
  while i < left.size && j < right.size
    if left[i] <= right[j]
      result << left[i]
      i += 1
    else
      result << right[j]
      j += 1
    end
  end
  result.concat(left.drop(i)).concat(right.drop(j))
end

def heap_sort(list)
  size = list.size
  (size / 2 - 1).downto(0) { |start| sift(list, start, size) }
  (size - 1).downto(1) do |last|
    list[0], list[last] = list[last], list[0]
    sift(list, 0, last)
  end
  list
end

def sift(list, root, size)
  while (child = 2 * root + 1) < size
    child += 1 if child + 1 < size && list[child] < list[child + 1]
    return if list[root] >= list[child]

    list[root], list[child] = list[child], list[root]
    root = child
  end
end

def insertion_sort(list)
  list.each_with_index do |value, i|
    i -= 1 while i > 0 && (list[i] = list[i - 1]) > value
    list[i] = value
  end
end

def radix_sort(list)
  [0, 8, 16, 24].inject(list) do |current, shift|
    buckets = Array.new(256) { [] }
    current.each { |value| buckets[(value >> shift) & 255] << value }
    buckets.flatten(1)
  end
end

n = (ARGV[0] || 60_000).to_i
dice = Dice.new(2_463_534_242)
numbers = Array.new(n) { dice.roll }
expected = numbers.sort

{
  quick: ->(list) { quick_sort(list) },
  merge: ->(list) { merge_sort(list) },
  heap: ->(list) { heap_sort(list) },
  radix: ->(list) { radix_sort(list) },
  spaceship: ->(list) { list.sort { |a, b| a <=> b } },
  by_key: ->(list) { list.sort_by { |value| -value }.reverse },
  by_string: ->(list) { list.map { |value| value.to_s.rjust(10, "0") }.sort.map(&:to_i) }
}.each do |name, sort|
  sorted = sort.call(numbers.dup)
  puts "#{name}: #{sorted == expected ? 'sorted' : 'WRONG'}, median #{sorted[n / 2]}"
end

few = numbers.first(n / 50)
insertion_sort(few)
puts "insertion: #{few.each_cons(2).all? { |a, b| a <= b } ? 'sorted' : 'WRONG'}, median #{few[few.size / 2]}"

words = numbers.map { |value| value.to_s(36) }
sorted = words.sort_by { |word| [word.size, word] }
puts "words: #{sorted.first} #{sorted.last} #{words.min} #{words.max}"
