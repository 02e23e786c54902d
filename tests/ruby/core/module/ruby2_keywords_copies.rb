# What private, alias and module_function make of a method keeps the flag of ruby2_keywords.

def all(*args, **options) = [args, options]

class Router
  ruby2_keywords def route(*args) = all(*args)
  private :route
  alias way route
  public :way
  def call(...) = route(...)
end

p Router.new.way(1, a: 2) # => [[1], {a: 2}]
p Router.new.call(1, a: 2) # => [[1], {a: 2}]
p Router.new.send(:route, 1, a: 2) # => [[1], {a: 2}]

module Paths
  def all(*args, **options) = [args, options]
  module_function :all
  ruby2_keywords def path(*args) = all(*args)
  module_function :path
end
p Paths.path(1, a: 2) # => [[1], {a: 2}]
