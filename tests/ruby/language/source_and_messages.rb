# shareable_constant_value, sources in other encodings, suggestions in messages.
# shareable_constant_value: literal
A = [1, "x", {a: "b"}]
p A.frozen?, A[1].frozen?, A[2][:a].frozen? # => true
# => true
# => true
# shareable_constant_value: none
B = [1]
p B.frozen? # => false
# shareable_constant_value: experimental_everything
C = [Object.new]
p C.frozen?, C[0].frozen? # => true
# => true
# shareable_constant_value: experimental_copy
text = +"abc"
D = text
p D.frozen?, text.frozen? # => true
# => false
# shareable_constant_value: none
p eval("# encoding: euc-jp\n'\xa4\xa2'".b).encoding # => #<Encoding:EUC-JP>
p eval("__ENCODING__".encode("Windows-31J")) # => #<Encoding:Windows-31J>
p (eval("# encoding: nothing-like-it\n1") rescue $!) # => #<ArgumentError: unknown encoding name: nothing-like-it>
class Foo
  def hello; end
end
p (Foo.new.helo rescue $!.detailed_message(highlight: false)) # => "undefined method 'helo' for an instance of Foo (NoMethodError)\nDid you mean?  hello"
p (Foo.new.helo rescue $!.detailed_message(highlight: false, did_you_mean: false)) # => "undefined method 'helo' for an instance of Foo (NoMethodError)"
# Where names are suggested, messages are highlighted unless it is declined.
p (Foo.new.helo rescue $!.detailed_message(did_you_mean: false)) # => "\e[1mundefined method 'helo' for an instance of Foo (\e[1;4mNoMethodError\e[m\e[1m)\e[m"
p ({foo: 1}.fetch(:fo) rescue $!.detailed_message(highlight: true)) # => "\e[1mkey not found: :fo (\e[1;4mKeyError\e[m\e[1m)\e[m\n\e[1mDid you mean?  :foo\e[m"
p (Strng rescue $!.detailed_message(highlight: false).lines.last) # => "Did you mean?  String"
p RuntimeError.new("").detailed_message, Class.new(StandardError).new("x").detailed_message # => "unhandled exception"
# => "x"
p RuntimeError.new("top").full_message(highlight: false)[/in .*/m] # => "in '<main>': top (RuntimeError)\n"
p (case {a: 1}; in {b:} then b; end rescue [$!.key, $!.matchee]) # => [:b, {a: 1}]
p (1 in Integer => n), n # => true
# => 1
