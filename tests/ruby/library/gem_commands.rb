# Each process here starts with no gem loaded: RubyGems and Bundler are asked for by their files.
# parallel: no, it starts a process for each step, and a thread for each would start many
require "tmpdir"

unless defined?(Gem)
  puts "skipped: RubyGems is not installed"
  exit
end
unless $LOAD_PATH.any? { |dir| File.exist?("#{dir}/bundler.rb") }
  puts "skipped: Bundler is not installed"
  exit
end

def run(env, *args, **opts) = IO.popen([env, RbConfig.ruby, *args, {err: %i[child out]}.merge(opts)], &:read)

Dir.mktmpdir do |dir|
  env = {"GEM_HOME" => "#{dir}/home", "GEM_PATH" => nil, "RUBYOPT" => nil, "BUNDLE_GEMFILE" => "#{dir}/Gemfile", "HOME" => dir}
  gem = ["-e", 'require "rubygems/gem_runner"; Gem::GemRunner.new.run(ARGV)', "--"]

  # The files of RubyGems come after RubyGems, whichever is asked for first.
  puts run(env, "-e", 'require "rubygems/specification"; p Gem::Specification.respond_to?(:load_defaults)') # => true
  puts run(env, "-e", 'require "bundler"; p Bundler::VERSION.nil?') # => false

  # The default gems of the library that was found are registered.
  puts run(env, "-e", 'gem "json", "~> 2.3"; p Gem.loaded_specs.key?("json")') # => true

  # A gem is built, installed and its command run.
  Dir.mkdir("#{dir}/lib")
  Dir.mkdir("#{dir}/exe")
  File.write("#{dir}/lib/greets.rb", "module Greets; V = 7; end\n")
  File.write("#{dir}/exe/greets", "#!/usr/bin/env ruby\nrequire 'greets'\np Greets::V, ARGV\n", perm: 0o755)
  File.write("#{dir}/greets.gemspec", <<~SPEC)
    Gem::Specification.new do |s|
      s.name = "greets"
      s.version = "1.2"
      s.summary = "greets"
      s.authors = ["nobody"]
      s.license = "MIT"
      s.homepage = "http://localhost"
      s.files = ["lib/greets.rb", "exe/greets"]
      s.bindir = "exe"
      s.executables = ["greets"]
    end
  SPEC
  puts run(env, *gem, "build", "greets.gemspec", chdir: dir)[/Successfully.*/] # => Successfully built RubyGem
  puts run(env, *gem, "install", "--local", "--no-document", "greets-1.2.gem", chdir: dir)[/Success.*/] # => Successfully installed greets-1.2

  command = "#{dir}/home/bin/greets"
  # The kernel starts what the first line names; so does this.
  p File.open(command, &:gets).chomp == "#!#{RbConfig.ruby}" # => true
  puts IO.popen([env, command, "a", {err: %i[child out]}], &:read)
  # => 7
  # => ["a"]
  puts run(env, "-e", 'require "greets"; p Greets::V') # => 7

  File.write("#{dir}/Gemfile", "source 'https://rubygems.org'\ngem 'greets'\n")
  puts run(env, "-e", 'require "bundler/setup"; Bundler.require; p Greets::V', chdir: dir) # => 7
end
