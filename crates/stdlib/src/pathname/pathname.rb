# frozen_string_literal: true

# The part of Pathname that asks the file system; an installed pathname.rb adds the arithmetic.
class Pathname
  def initialize(path)
    path = path.to_path if path.respond_to?(:to_path)
    raise TypeError, "no implicit conversion of #{path.nil? ? "nil" : path.class} into String" unless path.respond_to?(:to_str)
    @path = path.to_str.dup
    raise ArgumentError, "pathname contains null byte" if @path.include?("\0")
  end

  class << self
    def getwd = new(Dir.getwd)
    alias pwd getwd

    def glob(*args, **opts)
      found = Dir.glob(*args, **opts).map { |path| new(path) }
      return found unless block_given?
      found.each { |path| yield path }
      nil
    end
  end

  def to_s = @path.dup
  alias to_path to_s

  def ==(other) = other.is_a?(Pathname) && @path == other.to_s
  alias === ==
  alias eql? ==

  def <=>(other) = other.is_a?(Pathname) ? @path.tr("/", "\0") <=> other.to_s.tr("/", "\0") : nil

  def hash = @path.hash

  def inspect = "#<#{self.class}:#{@path}>"

  def freeze
    @path.freeze
    super
  end

  def sub(*args, &block) = self.class.new(block ? @path.sub(*args, &block) : @path.sub(*args))

  def sub_ext(ext) = self.class.new(@path.delete_suffix(File.extname(@path)) + ext)

  def realpath(*args) = self.class.new(File.realpath(@path, *args))

  def realdirpath(*args) = self.class.new(File.realdirpath(@path, *args))

  def basename(*args) = self.class.new(File.basename(@path, *args))

  def dirname = self.class.new(File.dirname(@path))

  def extname = File.extname(@path)

  def expand_path(*args) = self.class.new(File.expand_path(@path, *args))

  def split = File.split(@path).map { |part| self.class.new(part) }

  def readlink = self.class.new(File.readlink(@path))

  def each_line(*args, **opts, &block) = File.foreach(@path, *args, **opts, &block)

  def read(*args, **opts) = File.read(@path, *args, **opts)

  def binread(*args) = File.binread(@path, *args)

  def readlines(*args, **opts) = File.readlines(@path, *args, **opts)

  def write(*args, **opts) = File.write(@path, *args, **opts)

  def binwrite(*args, **opts) = File.binwrite(@path, *args, **opts)

  def sysopen(*args) = IO.sysopen(@path, *args)

  def open(*args, **opts, &block) = File.open(@path, *args, **opts, &block)

  %i[atime birthtime ctime mtime ftype stat lstat size size? zero? exist? file? directory? symlink? pipe? socket?
     blockdev? chardev? readable? writable? executable? readable_real? writable_real? executable_real?
     world_readable? world_writable? owned? grpowned? setuid? setgid? sticky?].each do |name|
    define_method(name) { File.__send__(name, @path) }
  end

  def empty? = File.directory?(@path) ? Dir.empty?(@path) : File.empty?(@path)

  def fnmatch(pattern, *args) = File.fnmatch(pattern, @path, *args)

  def fnmatch?(pattern, *args) = File.fnmatch?(pattern, @path, *args)

  def chmod(mode) = File.chmod(mode, @path)

  def lchmod(mode) = File.lchmod(mode, @path)

  def chown(owner, group) = File.chown(owner, group, @path)

  def utime(atime, mtime) = File.utime(atime, mtime, @path)

  def truncate(length) = File.truncate(@path, length)

  def rename(to) = File.rename(@path, to)

  def make_link(old) = File.link(old, @path)

  def make_symlink(old) = File.symlink(old, @path)

  def mkdir(*args) = Dir.mkdir(@path, *args)

  def rmdir = Dir.rmdir(@path)

  def opendir(&block) = Dir.open(@path, &block)

  def entries = Dir.entries(@path).map { |name| self.class.new(name) }

  def each_entry(&block) = entries.each(&block)

  def glob(pattern, flags = 0)
    found = Dir.glob(pattern, flags, base: @path).map { |name| self + name }
    return found unless block_given?
    found.each { |path| yield path }
    nil
  end

  def unlink = File.directory?(@path) && !File.symlink?(@path) ? Dir.unlink(@path) : File.unlink(@path)
  alias delete unlink
end

module Kernel
  def Pathname(path) = path.instance_of?(Pathname) ? path : Pathname.new(path)
  private :Pathname
end
