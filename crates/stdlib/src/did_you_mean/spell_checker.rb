# Which words of a list are near a word.
module DidYouMean
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

  # Finds paths of a dictionary that are close to a given one: first the folders, each among those of its depth, then what lies in them.
  class TreeSpellChecker
    attr_reader :dictionary, :separator, :augment

    def initialize(dictionary:, separator: "/", augment: nil)
      @dictionary = dictionary
      @separator = separator
      @augment = augment
    end

    def correct(input)
      folders = plausible_dimensions(input)
      found = folders.empty? ? [] : in_folders(folders, normalize(input.split(separator).last))
      return found unless found.empty? && augment
      SpellChecker.new(dictionary: dictionary).correct(input)
    end

    def dictionary_without_leaves = @dictionary_without_leaves ||= dictionary.map { |path| path.split(separator)[0..-2] }.uniq

    def tree_depth = @tree_depth ||= dictionary_without_leaves.map(&:size).max

    # The names of folders at each depth.
    def dimensions
      @dimensions ||= Array.new(tree_depth) { |depth| dictionary_without_leaves.filter_map { |folders| folders[depth] }.uniq }
    end

    def find_leaves(path)
      folder = "#{path}#{separator}"
      dictionary.filter_map { |word| word.gsub(folder, "") if word.include?(folder) }
    end

    def plausible_dimensions(input)
      folders = input.split(separator)[0..-2]
      folders.each_with_index.filter_map { |name, depth| nearest(dimensions[depth], name) if dimensions[depth] }
    end

    def possible_paths(states) = states.map { |folders| folders.join(separator) }

    private

    def in_folders(folders, leaf)
      first, *others = folders
      possible_paths(first.product(*others)).flat_map do |path|
        leaves = find_leaves(path)
        found = nearest(leaves, leaf)
        next [] if found.empty?
        found = [leaf] if leaves.include?(leaf)
        found.map { |name| "#{path}#{separator}#{name}" }
      end
    end

    def nearest(names, name)
      return names if names.size == 1
      name = normalize(name)
      names.include?(name) ? [name] : SpellChecker.new(dictionary: names).correct(name)
    end

    def normalize(name) = name.downcase.tr("@", " ")
  end
end
