# Collects all the time, beside whatever requires it.
Thread.new do
  loop do
    GC.start
    sleep 0.002
  end
end
