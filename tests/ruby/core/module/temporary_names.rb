# Module#set_temporary_name: anything but the path of a constant, and constants below are named after it.
def t; r = yield; p r; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
m = Module.new
c = Class.new
t { c.set_temporary_name("MyClass(with description)").inspect }
# => "MyClass(with description)"
c::M = m
t { [c.name, m.name, c.new.inspect[0, 28]] }
# => ["MyClass(with description)", "MyClass(with description)::M", "#<MyClass(with description):"]
t { c.set_temporary_name("other"); [c.name, m.name] }
# => ["other", "other::M"]
t { c.set_temporary_name(nil); [c.name, m.name] }
# => [nil, nil]
paths = ["Foo", "Foo::Bar", "::Foo", "Ünicode", "Foo::Ünicode", "Foo2"]
others = ["Foo::", "Foo:Bar", "Foo::bar", "Foo::_Bar", "foo", "Foo Bar", "::", ":", "Foo!", "Foo=", "F\0", "Foo::Bar(x)", "Foo::::Bar"]
t { paths.map { |n| Class.new.set_temporary_name(n) rescue $!.message }.uniq }
# => ["the temporary name must not be a constant path to avoid confusion"]
t { others.map { |n| Class.new.set_temporary_name(n).name } == others }
# => true
t { Class.new.set_temporary_name("") }
# => ArgumentError: empty class/module name
t { Class.new.set_temporary_name(1) }
# => TypeError: no implicit conversion of Integer into String
t { String.set_temporary_name("x") }
# => RuntimeError: can't change permanent name
c::Itself = c
t { c.set_temporary_name("tmp"); C = c; [c.name, m.name] }
# => ["C", "C::M"]
t { m.set_temporary_name("tmp") }
# => RuntimeError: can't change permanent name
s = +"name(1)"; k = Class.new.set_temporary_name(s); s << "2"; t { [k.name, k.name.frozen?] }
# => ["name(1)", true]
t { Module.new.set_temporary_name("\xE9(x)".dup.force_encoding("ISO-8859-1")).name.encoding }
# => #<Encoding:ISO-8859-1>
