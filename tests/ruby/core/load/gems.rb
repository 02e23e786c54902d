# require finds what is installed under GEM_HOME and GEM_PATH, by the directories that its specification names.
# parallel: no, it changes ENV and the load path

ENV["GEM_HOME"] = "/nonexistent"
ENV["GEM_PATH"] = [File.join(__dir__, "fixtures/gems"), "/nonexistent"].join(":")

p require("moon/phase"), Moon::PHASE, Moon::VERSION # => true
# => :full
# => "1.10.0"
p $:.first(2).map { |dir| dir.split("/").last(2).join("/") } # => ["moon-1.10.0/code", "moon-1.10.0/more"]
p require("moon_more"), require("moon/phase") # => true
# => false
p require("sun"), SUN # => true
# => 1
begin
  require "moon_extra"
rescue LoadError => e
  p e.message # => "cannot load such file -- moon_extra"
end
p gem("moon") # => false

# What a program takes off the load path stays off.
p require("eclipse"), ECLIPSE, gem("eclipse") # => true
# => "cannot load such file -- eclipse"
# => false
# A folder without a specification is no gem.
[-> { require "comet" }, -> { gem "comet" }].each do |ask|
  p ask.call
rescue LoadError => e
  p e.message[/comet/] # => "comet"
  # => "comet"
end
