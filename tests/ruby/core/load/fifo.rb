# A program can be loaded from a pipe or a device. Who waits for the other end, or for what it writes, can be interrupted.
require "tmpdir"

Dir.mktmpdir do |dir|
  path = File.join(dir, "pipe.rb")
  File.mkfifo(path)

  writer = Thread.new { File.write(path, "$loaded = :load\n__END__\n") }
  p load(path) # => true
  writer.join
  p $loaded # => :load

  writer = Thread.new { File.write(path, "$loaded = :require\n") }
  p require(path) # => true
  writer.join
  p $loaded # => :require

  main = Thread.current
  3.times do
    thread = Thread.new do
      sleep 0.001 until main.stop?
      main.raise(IOError, "enough")
    end
    begin
      load(path)
    rescue IOError => e
      puts e.message
    end
    thread.join
  end
  # => enough
  # => enough
  # => enough

  # The other end is open, and says nothing.
  other = nil
  thread = Thread.new do
    other = File.open(path, "w")
    sleep 0.001 until main.stop?
    main.raise(IOError, "silent")
  end
  begin
    load(path)
  rescue IOError => e
    puts e.message # => silent
  end
  thread.join
  other.close

  begin
    load(dir)
  rescue LoadError => e
    puts e.message == "cannot load such file -- #{dir}" # => true
  end
end

p load(File::NULL) # => true
