# Programs that are executed have huge pages as before, though the runtime does without them.

def huge_pages(text) = text[/^THP_enabled:.*/]

wanted = huge_pages(File.read("/proc/#{Process.ppid}/status"))
p huge_pages(`cat /proc/self/status`) == wanted # => true
p huge_pages(IO.popen(["cat", "/proc/self/status"], &:read)) == wanted # => true
read, write = IO.pipe
Process.wait(fork { exec("cat", "/proc/self/status", out: write) })
write.close
p huge_pages(read.read) == wanted # => true
