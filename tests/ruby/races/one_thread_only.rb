# args: --race-report
# With one thread alone nothing is noted, but races are looked for all the same.
begin
  RubyVM.races { nil }
rescue RuntimeError => e
  p e.message # => "races are looked for already"
end
