# RubyGems finds the same gems where programs are told that the engine is CRuby.
unless defined?(Gem)
  puts "skipped: RubyGems is not installed"
  exit
end

paths = ["asterism", "ruby"].map do |engine|
  script = "p Gem.default_path.sort, Gem.default_specifications_dir, Gem.ruby_engine, $\".grep(/defaults.asterism/).size"
  IO.popen([{ "ASTERISM_ENGINE" => engine }, RbConfig.ruby, "-e", script], &:readlines)
end
p paths[0] == paths[1] # => true
p paths[1][2..].map(&:chomp) # => ["\"asterism\"", "1"]
