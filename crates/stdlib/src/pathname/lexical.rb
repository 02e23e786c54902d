# frozen_string_literal: true

# What Pathname does with the text of a path.
class Pathname
  SEPARATOR_PAT = /\//

  def to_s = String.new(@path)

  alias to_path to_s

  def ==(other) = Pathname === other && @path == other.path

  alias === ==
  alias eql? ==

  # By components: a directory comes before what lies in it, and that before its neighbours.
  def <=>(other) = Pathname === other ? @path.tr("/", "\0") <=> other.path.tr("/", "\0") : nil

  def hash = @path.hash

  def inspect = "#<#{self.class}:#{@path}>"

  def freeze
    @path.freeze
    super
  end

  def sub(pattern, *args, **kwargs, &block) = self.class.new(@path.sub(pattern, *args, **kwargs, &block))

  def sub_ext(repl) = self.class.new(@path.delete_suffix(File.extname(@path)) + repl)

  def basename(...) = self.class.new(File.basename(@path, ...))

  def dirname = self.class.new(File.dirname(@path))

  def extname = File.extname(@path)

  def split
    parts = File.split(@path)
    raise TypeError, "wrong argument type #{parts.class} (expected Array)" unless Array === parts
    parts.map { |part| self.class.new(part) }
  end

  def fnmatch(pattern, ...) = File.fnmatch(pattern, @path, ...)

  def fnmatch?(pattern, ...) = File.fnmatch?(pattern, @path, ...)

  def absolute? = @path.start_with?("/")

  def relative? = !absolute?

  def root? = absolute? && @path.count("^/") == 0

  def parent = self + ".."

  def each_filename
    return to_enum(:each_filename) unless block_given?
    names(@path).each { |name| yield name }
    nil
  end

  # From the path itself up to its first component.
  def ascend
    return to_enum(:ascend) unless block_given?
    path = @path
    yield self
    while (cut = chop_basename(path))
      path = cut[0]
      break if path.empty?
      yield self.class.new(del_trailing_separator(path))
    end
    nil
  end

  # The other way round.
  def descend
    return to_enum(:descend) unless block_given?
    ascend.to_a.reverse_each { |path| yield path }
    nil
  end

  # Without what needs no look at the file system to be left out: `.`, slashes, and, unless a name may be a symbolic link,
  # `..` with the name before it.
  def cleanpath(consider_symlink = false)
    clean = names(@path).each_with_object([]) do |name, kept|
      case name
      when "." then nil
      when ".."
        if kept.empty? && absolute?
          # There is nothing above the root.
        elsif consider_symlink || kept.empty? || kept.last == ".."
          kept << name
        else
          kept.pop
        end
      else kept << name
      end
    end
    return self.class.new(absolute? ? "/" : ".") if clean.empty?
    path = (absolute? ? "/" : "") + clean.join("/")
    self.class.new(consider_symlink && clean.last != ".." ? path + trailing_mark : path)
  end

  def +(other)
    other = Pathname.new(other) unless Pathname === other
    Pathname.new(plus(@path, other.path))
  end

  alias / +

  def join(*args)
    return self if args.empty?
    result = nil
    args.reverse_each do |arg|
      path = Pathname === arg ? arg : Pathname.new(arg)
      result = result ? path + result : path
      return result if result.absolute?
    end
    self + result
  end

  # The path that leads here from a directory.
  def relative_path_from(base_directory)
    base = base_directory.is_a?(Pathname) ? base_directory : Pathname.new(base_directory)
    here, base = cleanpath, base.cleanpath
    if here.absolute? != base.absolute?
      raise ArgumentError, "different prefix: #{(here.absolute? ? "/" : "").inspect} and #{base.path.inspect}"
    end
    to, from = [here, base].map { |path| names(path.path) - ["."] }
    same = to.zip(from).take_while { |a, b| a == b }.size
    up = from.drop(same)
    raise ArgumentError, "base_directory has ..: #{base.path.inspect}" if up.include?("..")
    steps = up.map { ".." } + to.drop(same)
    Pathname.new(steps.empty? ? "." : steps.join("/"))
  end

  private

  # The names in a path.
  def names(path) = path.split("/").reject(&:empty?)

  # What stands before the last name of a path, and that name; nil if there is none.
  def chop_basename(path)
    base = File.basename(path)
    base.empty? || base == "/" ? nil : [path[0, path.rindex(base)], base]
  end

  def has_trailing_separator?(path)
    cut = chop_basename(path)
    cut ? cut.sum(&:size) < path.size : false
  end

  def add_trailing_separator(path) = path.end_with?("/") || path.empty? ? path : path + "/"

  # Without the slashes at the end, unless they are all there is.
  def del_trailing_separator(path) = path.match?(/\A\/+\z/) ? "/" : path.sub(/\/+\z/, "")

  # What `cleanpath` leaves at the end of a path whose last name may be a symbolic link to a directory.
  def trailing_mark
    return "/." if File.basename(@path) == "."
    @path.end_with?("/") ? "/" : ""
  end

  # `rest`, seen from `base`: `..` at its beginning takes names off the end of that.
  def plus(base, rest)
    return rest if rest.start_with?("/")
    steps = names(rest)
    at = beyond_dots(steps, 0)
    cut = chop_basename(base)
    while cut
      base, name = cut
      if name != "."
        break base += name if name == ".." || steps[at] != ".."
        at = beyond_dots(steps, at + 1)
      end
      cut = chop_basename(base)
    end
    at_root = cut.nil? && base.start_with?("/")
    at += 1 while at_root && steps[at] == ".."
    left = from_name(rest, steps, at)
    return cut || at_root ? base : "." if left.empty?
    cut ? File.join(base, left) : base + left
  end

  def beyond_dots(names, at)
    at += 1 while names[at] == "."
    at
  end

  # The text of a path from one of its names on.
  def from_name(path, names, index)
    return "" if index == names.size
    at = names.first(index).inject(0) { |from, name| path.index(name, from) + name.size }
    path[at..].sub(/\A\/+/, "")
  end
end
