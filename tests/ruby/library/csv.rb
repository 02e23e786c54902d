# CSV from the installed library, on our StringIO, StringScanner and Date.
begin
  require "csv"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { CSV.parse("a,b\n1,\"x,y\"\n\"q\"\"r\",\n") } # => [["a", "b"], ["1", "x,y"], ["q\"r", nil]]
t { CSV.parse("a,b\n1,2\n", headers: true).map(&:to_h) } # => [{"a" => "1", "b" => "2"}]
t { CSV.generate { |c| c << [1, nil, "a,b", 'q"r', "x\ny"] } } # => "1,,\"a,b\",\"q\"\"r\",\"x\ny\"\n"
t { CSV.parse("1,2.5,2001-02-03,x", converters: :all).map { |r| r.map(&:class) } } # => [[Integer, Float, DateTime, String]]
t { [CSV.parse_line("1,2"), "a,b".parse_csv, [1, 2].to_csv] } # => [["1", "2"], ["a", "b"], "1,2\n"]
t { CSV.parse("a,\"b\n") } # => CSV::MalformedCSVError: Unclosed quoted field in line 1.
t { CSV.parse("a,b\"c\n") } # => CSV::MalformedCSVError: Illegal quoting in line 1.
t { x = CSV.parse("n,v\na,1\nb,2\n", headers: true, header_converters: :symbol, converters: :numeric); [x[:v], x.headers, x.to_csv, x[0][:n]] } # => [[1, 2], [:n, :v], "n,v\na,1\nb,2\n", "a"]
t { [CSV.parse("a\tb\n", col_sep: "\t"), CSV.parse("#c\na,b\n", skip_lines: /^#/)] } # => [[["a", "b"]], [["a", "b"]]]
t { rows = Array.new(2000) { |i| ["name #{i}", i, "x" * (i % 50)] }; text = CSV.generate { |c| rows.each { |r| c << r } }; CSV.parse(text).size } # => 2000
t { 4.times.map { |n| Thread.new { CSV.parse("a,#{n}\n" * 50).size } }.map(&:value) } # => [50, 50, 50, 50]
