# parallel: no, ARGF is the process's
# What ARGF says after `close`, in many orders.
require "tmpdir"

PROGRAM = <<'RUBY'
ops = { gets: -> { ARGF.gets }, read: -> { ARGF.read }, eof: -> { ARGF.eof? }, lineno: -> { ARGF.lineno }, closed: -> { ARGF.closed? },
        close: -> { ARGF.close.class }, readlines: -> { ARGF.readlines }, pos: -> { ARGF.pos }, partial: -> { ARGF.readpartial(3) } }
puts ARGV.shift.split(",").map { |name|
  begin
    ops[name.to_sym].call.inspect
  rescue => e
    "#{e.class}: #{e.message}"
  end
}.join("; ")
RUBY

Dir.mktmpdir do |dir|
  files = %w[one two].map { |n| File.join(dir, n).tap { |path| File.write(path, "#{n} a\n#{n} b\n") } }
  try = ->(names, count) { puts IO.popen([RbConfig.ruby, "-e", PROGRAM, names, *files.first(count), in: File::NULL], &:read) }
  try["gets,close,gets,gets,gets,close", 1] # => "one a\n"; ARGF.class; nil; nil; nil; ARGF.class
  try["gets,close,gets,gets,gets,close,gets", 2] # => "one a\n"; ARGF.class; "two a\n"; "two b\n"; nil; ARGF.class; nil
  try["close,close,gets", 2] # => ARGF.class; ARGF.class; nil
  try["gets,close,lineno,pos,eof", 1] # => "one a\n"; ARGF.class; 0; ArgumentError: no stream to tell; IOError: closed stream
  try["gets,lineno,close,lineno,gets,lineno", 2] # => "one a\n"; 1; ARGF.class; 0; "two a\n"; 1
  try["read,read,eof", 1] # => "one a\none b\n"; nil; IOError: closed stream
  try["closed,gets,close,closed,readlines", 1] # => false; "one a\n"; ARGF.class; true; []
  try["eof,gets,gets,eof,eof", 2] # => false; "one a\n"; "one b\n"; true; true
  try["gets,gets,gets,close,read", 1] # => "one a\n"; "one b\n"; nil; ARGF.class; nil
  try["partial,close,partial,partial", 1] # => "one"; ARGF.class; EOFError: end of file reached; EOFError: end of file reached
end
