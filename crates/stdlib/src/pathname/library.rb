# frozen_string_literal: true

# What Pathname has of other libraries when it is required.
class Pathname
  # Walks through all that lies below, depth first.
  def find(ignore_error: true)
    return to_enum(:find, ignore_error: ignore_error) unless block_given?
    require "find"
    Find.find(@path, ignore_error: ignore_error) do |path|
      yield self.class.new(@path == "." ? path.delete_prefix("./") : path)
    end
  end

  # Removes a directory with all that lies in it.
  def rmtree(noop: nil, verbose: nil, secure: nil)
    require "fileutils"
    FileUtils.rm_rf(@path, noop: noop, verbose: verbose, secure: secure)
    self
  end

  # A new directory for what is of use for a while; with a block it is gone behind it.
  def self.mktmpdir
    require "tmpdir"
    return new(Dir.mktmpdir) unless block_given?
    Dir.mktmpdir { |path| yield new(path) }
  end
end
