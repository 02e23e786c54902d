# What `beside.c` does. Run by `crates/cli/tests/extensions.rs`, which compiles both extensions.
begin
  require "beside"
rescue LoadError => e
  puts e.message unless e.message.match?(/undefined symbol: various_/)
end
require "various"
require "beside"
puts Beside.ask(21) == [Various, 42] ? "ok" : Beside.ask(21).inspect
