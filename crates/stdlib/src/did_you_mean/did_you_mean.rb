# What an error's message suggests: names that are nearly the one that was not found. Loaded when a message is made.
module DidYouMean
  # The similarity of two words after Jaro, with Winkler's bonus for a common beginning: 0.0 to 1.0.
  module JaroWinkler
    BONUS = 0.1
    FROM = 0.7

    module_function

    def distance(a, b)
      near = Jaro.distance(a, b)
      return near if near <= FROM
      common = 0
      4.times do |i|
        break if i >= a.length || i >= b.length || a[i] != b[i]
        common += 1
      end
      near + common * BONUS * (1 - near)
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

  # Finds words of a dictionary that are close to a given one.
  class SpellChecker
    def initialize(dictionary:)
      @dictionary = dictionary
    end

    def correct(input)
      wanted = normalize(input)
      limit = wanted.length > 3 ? 0.834 : 0.77
      words = @dictionary.select { |word| JaroWinkler.distance(normalize(word), wanted) >= limit }
      words.reject! { |word| input.to_s == word.to_s }
      words = words.sort_by { |word| JaroWinkler.distance(word.to_s, wanted) }.reverse
      slips = (wanted.length * 0.25).ceil
      found = words.select { |word| Levenshtein.distance(normalize(word), wanted) <= slips }
      if found.empty?
        found = words.select do |word|
          word = normalize(word)
          Levenshtein.distance(word, wanted) < [wanted.length, word.length].min
        end.first(1)
      end
      found
    end

    private

    def normalize(word) = word.to_s.downcase.tr("@", "")
  end

  # How suggestions are written.
  class Formatter
    def self.message_for(corrections)
      corrections.empty? ? "" : "\nDid you mean?  #{corrections.join("\n               ")}"
    end

    def message_for(corrections) = self.class.message_for(corrections)
  end

  # For what has nothing to be checked against.
  class NullChecker
    def initialize(*)
    end

    def corrections = []
  end

  # Puts suggestions behind the messages of an error class that has `corrections`, or a checker by `correct_error`.
  module Correctable
    def detailed_message(highlight: true, did_you_mean: true, **)
      text = super
      return text unless did_you_mean && text
      suggestion = begin
        DidYouMean.formatter.message_for(corrections)
      rescue StandardError
        return text
      end
      suggestion = suggestion.gsub(/[^\n]+/) { |line| "\e[1m#{line}\e[m" } if highlight
      text + suggestion
    end

    def corrections = spell_checker.corrections

    def spell_checker = DidYouMean.spell_checkers.fetch(self.class.to_s, NullChecker).new(self)

    def original_message = Exception.instance_method(:to_s).bind_call(self)
  end

  WORDS = %i[
    BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil
    not or redo rescue retry return self super then true undef unless until when while yield
    __FILE__ __LINE__ __ENCODING__ __method__ __dir__
  ].freeze

  @formatter = Formatter
  @spell_checkers = {}

  class << self
    attr_accessor :formatter
    attr_reader :spell_checkers

    # Has errors of a class checked by objects that are made of them.
    def correct_error(error_class, spell_checker)
      spell_checkers[error_class.to_s] = spell_checker
      error_class.prepend(Correctable) unless error_class.include?(Correctable)
    end

    # Names close to what the error did not find.
    def corrections_for(error)
      case error
      when NoMethodError then methods_for(error)
      when NameError then names_for(error)
      when KeyError, NoMatchingPatternKeyError then keys_for(error)
      else []
      end
    end

    # The text to be put behind the error's message.
    def __text(error)
      corrections = corrections_for(error).uniq
      corrections.empty? ? "" : formatter.message_for(corrections).to_s
    rescue StandardError, NotImplementedError
      ""
    end

    private

    def check(words, name) = SpellChecker.new(dictionary: words).correct(name)

    def methods_for(error)
      receiver = error.receiver
      return [] if receiver.nil? || !(Object === receiver)
      words = receiver.methods + receiver.singleton_methods
      words += receiver.private_methods if error.private_call?
      check(words.uniq, error.name)
    end

    def names_for(error)
      name = error.name.to_s
      return [] if name.empty?
      receiver = begin
        error.receiver
      rescue ArgumentError
        nil
      end
      if name.start_with?("@@")
        scope = Module === receiver ? receiver : receiver.class
        return check(scope.class_variables, name)
      end
      if name.match?(/\A[A-Z]/)
        return constants_for(receiver, name)
      end
      return check(receiver.instance_variables, name) if name.start_with?("@")
      words = error.local_variables + WORDS
      if Object === receiver
        words += receiver.methods + receiver.private_methods + receiver.instance_variables
        words += receiver.class.class_variables
      end
      check(words.uniq, name)
    end

    def constants_for(scope, name)
      scopes = [scope]
      if Module === scope && scope.name
        parts = scope.name.split("::")
        parts.pop
        until parts.empty?
          scopes << Object.const_get(parts.join("::"))
          parts.pop
        end
      end
      scopes << Object
      found = []
      scopes.each do |from|
        next unless Module === from
        prefix = from == Object ? "" : "#{from.name}::"
        check(from.constants, name).each { |c| found << "#{prefix}#{c}" unless found.include?(c.to_s) }
      end
      found.map { |c| c.split("::").last == name ? c : c }
    end

    def keys_for(error)
      keys = error.respond_to?(:matchee) ? error.matchee.keys : error.receiver.keys
      check(keys, error.key).map(&:inspect)
    end
  end
end
