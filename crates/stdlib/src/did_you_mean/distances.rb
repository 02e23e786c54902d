# How near two words are to each other.
module DidYouMean
  # The similarity of two words after Jaro, with Winkler's bonus for a common beginning: 0.0 to 1.0.
  module JaroWinkler
    WEIGHT = 0.1
    THRESHOLD = 0.7

    module_function

    def distance(a, b)
      near = Jaro.distance(a, b)
      return near if near <= THRESHOLD
      common = 0
      4.times do |i|
        break if i >= a.length || i >= b.length || a[i] != b[i]
        common += 1
      end
      near + common * WEIGHT * (1 - near)
    end
  end

  # The similarity of two words after Jaro.
  module Jaro
    module_function

    def distance(a, b)
      a, b = b, a if a.length > b.length
      return 1.0 if a == b
      left, right = a.codepoints, b.codepoints
      return 0.0 if left.empty?
      reach = right.length > 3 ? right.length / 2 - 1 : 0
      taken = Array.new(right.length, false)
      matched = []
      left.each_with_index do |c, i|
        j = [i - reach, 0].max
        last = [i + reach, right.length - 1].min
        while j <= last
          if !taken[j] && right[j] == c
            taken[j] = true
            matched << c
            break
          end
          j += 1
        end
      end
      count = matched.length
      return 0.0 if count == 0
      others = []
      right.each_with_index { |c, j| others << c if taken[j] }
      swapped = 0
      matched.each_with_index { |c, i| swapped += 1 if c != others[i] }
      (count.fdiv(left.length) + count.fdiv(right.length) + (count - swapped / 2).fdiv(count)) / 3
    end
  end

  # How many characters must be added, removed or replaced to get from one word to another.
  module Levenshtein
    module_function

    def distance(a, b)
      left, right = a.codepoints, b.codepoints
      return right.length if left.empty?
      return left.length if right.empty?
      row = (0..right.length).to_a
      left.each_with_index do |c, i|
        before = i
        row[0] = i + 1
        right.each_with_index do |d, j|
          cost = [row[j + 1] + 1, row[j] + 1, before + (c == d ? 0 : 1)].min
          before = row[j + 1]
          row[j + 1] = cost
        end
      end
      row.last
    end
  end
end
