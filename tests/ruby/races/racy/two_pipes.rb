# args: --race-report
# stderr: race: local variable n
# parallel: no, the report is the whole VM's
# Two pipes order nothing between them.
n = 0
2.times.map do
  reader, writer = IO.pipe
  Thread.new do
    writer.write "."
    reader.read(1)
    n += 1
  end
end.each(&:join)
