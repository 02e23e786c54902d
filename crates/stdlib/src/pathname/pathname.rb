# frozen_string_literal: true

# The path of a file as an object: `lexical.rb` has what looks at the text alone, this one what asks the file system. Both are
# loaded when Pathname is first mentioned.
class Pathname
  VERSION = "0.4.0"

  # Makes the Pathname of a String, or of what has `to_path` or `to_str`.
  def initialize(path)
    path = path.to_path unless String === path || !path.respond_to?(:to_path)
    path = path.to_str unless String === path || !path.respond_to?(:to_str)
    raise TypeError, "Pathname.new requires a String, #to_path or #to_str" unless String === path
    unless path.encoding.ascii_compatible?
      raise Encoding::CompatibilityError, "path name must be ASCII-compatible (#{path.encoding}): #{path.inspect}"
    end
    raise ArgumentError, "path name contains null byte" if path.include?("\0")
    @path = String.new(path)
  end

  attr_reader :path
  protected :path

  undef_method :=~ if method_defined?(:=~)

  def self.getwd = new(Dir.getwd)

  class << self
    alias pwd getwd
  end

  def self.glob(*args, **kwargs)
    found = Dir.glob(*args, **kwargs).map { |path| new(path) }
    return found unless block_given?
    found.each { |path| yield path }
    nil
  end

  def glob(*args, **kwargs)
    found = Dir.glob(*args, **kwargs, base: @path).map { |path| self + path }
    return found unless block_given?
    found.each { |path| yield path }
    nil
  end

  def children(with_directory = true)
    with_directory = false if @path == "."
    Dir.children(@path).map { |name| self.class.new(with_directory ? File.join(@path, name) : name) }
  end

  def each_child(with_directory = true, &block) = children(with_directory).each(&block)

  def entries = Dir.entries(@path).map { |name| self.class.new(name) }

  def each_entry
    return to_enum(:each_entry) unless block_given?
    Dir.foreach(@path) { |name| yield self.class.new(name) }
  end

  def mkdir(...) = Dir.mkdir(@path, ...)

  # Makes the directory, and those it lies in.
  def mkpath(mode: nil)
    missing = ascend.take_while { |path| !path.directory? }
    missing.reverse_each do |path|
      mode ? path.mkdir(mode) : path.mkdir
      # The mode holds whatever the umask is.
      path.chmod(mode) if mode
    rescue SystemCallError
      # Another thread or process may have been quicker.
      raise unless path.directory?
    end
    self
  end

  def rmdir = Dir.rmdir(@path)

  def opendir(&block) = Dir.open(@path, &block)

  def unlink = directory? && !symlink? ? Dir.unlink(@path) : File.unlink(@path)

  alias delete unlink

  def empty? = directory? ? Dir.empty?(@path) : File.empty?(@path)

  # Is it where a file system is mounted?
  def mountpoint?
    here = lstat
    above = parent.lstat
    here.dev != above.dev || here.ino == above.ino
  rescue Errno::ENOENT
    false
  end

  def each_line(...) = File.foreach(@path, ...)

  def read(...) = File.read(@path, ...)

  def binread(...) = File.binread(@path, ...)

  def readlines(...) = File.readlines(@path, ...)

  def sysopen(...) = File.sysopen(@path, ...)

  def write(...) = File.write(@path, ...)

  def binwrite(...) = File.binwrite(@path, ...)

  def open(...) = File.open(@path, ...)

  def atime = File.atime(@path)

  def birthtime = File.birthtime(@path)

  def ctime = File.ctime(@path)

  def mtime = File.mtime(@path)

  def ftype = File.ftype(@path)

  def stat = File.stat(@path)

  def lstat = File.lstat(@path)

  def size = File.size(@path)

  def size? = File.size?(@path)

  def zero? = File.zero?(@path)

  def exist? = File.exist?(@path)

  def file? = File.file?(@path)

  def directory? = File.directory?(@path)

  def symlink? = File.symlink?(@path)

  def pipe? = File.pipe?(@path)

  def socket? = File.socket?(@path)

  def blockdev? = File.blockdev?(@path)

  def chardev? = File.chardev?(@path)

  def readable? = File.readable?(@path)

  def readable_real? = File.readable_real?(@path)

  def world_readable? = File.world_readable?(@path)

  def writable? = File.writable?(@path)

  def writable_real? = File.writable_real?(@path)

  def world_writable? = File.world_writable?(@path)

  def executable? = File.executable?(@path)

  def executable_real? = File.executable_real?(@path)

  def owned? = File.owned?(@path)

  def grpowned? = File.grpowned?(@path)

  def setuid? = File.setuid?(@path)

  def setgid? = File.setgid?(@path)

  def sticky? = File.sticky?(@path)

  def chmod(mode) = File.chmod(mode, @path)

  def lchmod(mode) = File.lchmod(mode, @path)

  def chown(owner, group) = File.chown(owner, group, @path)

  def lchown(owner, group) = File.lchown(owner, group, @path)

  def utime(atime, mtime) = File.utime(atime, mtime, @path)

  def lutime(atime, mtime) = File.lutime(atime, mtime, @path)

  def truncate(length) = File.truncate(@path, length)

  def rename(to) = File.rename(@path, to)

  def make_link(old) = File.link(old, @path)

  def make_symlink(old) = File.symlink(old, @path)

  def readlink = self.class.new(File.readlink(@path))

  def realpath(...) = self.class.new(File.realpath(@path, ...))

  def realdirpath(...) = self.class.new(File.realdirpath(@path, ...))

  def expand_path(...) = self.class.new(File.expand_path(@path, ...))
end
