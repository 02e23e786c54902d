# What `load` calls a file: as it was asked for where it lies in the current directory, else by its path.
require "tmpdir"

Dir.mktmpdir do |dir|
  dir = File.realpath(dir)
  Dir.chdir(dir) do
    File.write("one.rb", "$seen = [__FILE__, __dir__, caller_locations(0)[0].path]; def later = __dir__")
    load "one.rb"
    p $seen == ["one.rb", dir, "one.rb"] # => true
    load "./one.rb"
    p $seen == ["#{dir}/one.rb", dir, "#{dir}/one.rb"] # => true
    load "one.rb"
  end
  p later == dir # => true
  $LOAD_PATH.unshift dir
  load "one.rb"
  p $seen[0] == "#{dir}/one.rb" # => true
  $LOAD_PATH.shift
end
