# Of what the standard library has the Ruby part alone, an installed gem comes first, behind what -I says.
# parallel: no, it changes ENV and the load path
require "tmpdir"
require "fileutils"

Dir.mktmpdir do |dir|
  lib = "#{dir}/gems/fiddle-9.0.1/lib"
  FileUtils.mkdir_p([lib, "#{dir}/specifications", "#{dir}/own"])
  File.write("#{dir}/specifications/fiddle-9.0.1.gemspec", <<~RUBY)
    Gem::Specification.new { |s| s.name = "fiddle"; s.version = "9.0.1"; s.require_paths = ["lib"] }
  RUBY
  FileUtils.mkdir_p("#{lib}/fiddle")
  File.write("#{lib}/fiddle.rb", "require 'fiddle/part'; FIDDLE = [:gem, PART]")
  File.write("#{lib}/fiddle/part.rb", "PART = RUBY_ENGINE")
  File.write("#{dir}/own/fiddle.rb", "FIDDLE = :own")
  run = ->(env, *options) do
    env = { "GEM_HOME" => dir, "GEM_PATH" => "" }.merge(env)
    IO.popen([env, RbConfig.ruby, *options, "-e", "require 'fiddle'; p FIDDLE"], &:read)
  end
  puts run.({}) # => [:gem, "asterism"]
  puts run.({}, "-I", "#{dir}/own") # => :own
  # A gem that asks for CRuby can be told that it is one.
  puts run.({ "ASTERISM_ENGINE" => "ruby" }) # => [:gem, "ruby"]
end
