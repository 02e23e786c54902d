# A Lisp: reader, evaluator with lexical scope and tail calls in a loop, a few library functions in Lisp.
class Scope
  attr_reader :vars, :outer

  def initialize(outer = nil, names = nil, values = nil)
    @outer = outer
    @vars = {}
    names&.each_with_index { |name, i| @vars[name] = values[i] }
  end

  def find(name)
    scope = self
    until scope.vars.key?(name)
      scope = scope.outer
      raise NameError, "unbound #{name}" if scope.nil?
    end
    scope
  end

  def [](name) = find(name).vars[name]

  def []=(name, value)
    @vars[name] = value
  end
end

Closure = Struct.new(:names, :body, :scope)

module Reader
  module_function

  def tokens(text) = text.gsub("(", " ( ").gsub(")", " ) ").split

  def read_all(text)
    list = tokens(text)
    forms = []
    forms << read(list) until list.empty?
    forms
  end

  def read(list)
    token = list.shift
    case token
    when "("
      form = []
      form << read(list) until list.first == ")"
      list.shift
      form
    when /\A-?\d+\z/ then token.to_i
    when "#t" then true
    when "#f" then false
    else token.to_sym
    end
  end
end

class Lisp
  def initialize
    @global = Scope.new
    define_builtins
  end

  def define_builtins
    {
      :+ => ->(*a) { a.sum }, :- => ->(a, b) { a - b }, :* => ->(*a) { a.inject(:*) },
      :quotient => ->(a, b) { a / b }, :remainder => ->(a, b) { a % b },
      :< => ->(a, b) { a < b }, :"=" => ->(a, b) { a == b }, :eq? => ->(a, b) { a.equal?(b) },
      :cons => ->(a, b) { [a, b] }, :car => ->(a) { a[0] }, :cdr => ->(a) { a[1] },
      :null? => ->(a) { a.nil? }, :pair? => ->(a) { a.is_a?(Array) }, :not => ->(a) { !a },
      :list => ->(*a) { a.reverse.inject(nil) { |rest, x| [x, rest] } }
    }.each { |name, function| @global[name] = function }
    @global[:nil] = nil
  end

  def run(text) = Reader.read_all(text).map { |form| evaluate(form, @global) }.last

  def evaluate(form, scope)
    while true
      case form
      when Symbol then return scope[form]
      when Array
        case form[0]
        when :quote then return quoted(form[1])
        when :if
          form = evaluate(form[1], scope) ? form[2] : form[3]
          next
        when :define
          if form[1].is_a?(Array)
            scope[form[1][0]] = Closure.new(form[1].drop(1), form.drop(2), scope)
          else
            scope[form[1]] = evaluate(form[2], scope)
          end
          return nil
        when :set!
          scope.find(form[1]).vars[form[1]] = evaluate(form[2], scope)
          return nil
        when :lambda then return Closure.new(form[1], form.drop(2), scope)
        when :let
          names = form[1].map(&:first)
          values = form[1].map { |pair| evaluate(pair[1], scope) }
          scope = Scope.new(scope, names, values)
          form[2..-2].each { |f| evaluate(f, scope) }
          form = form.last
          next
        when :begin
          form[1..-2].each { |f| evaluate(f, scope) }
          form = form.last
          next
        when :cond
          clause = form.drop(1).find { |test, _| test == :else || evaluate(test, scope) }
          return nil if clause.nil?
          form = clause[1]
          next
        end
        function = evaluate(form[0], scope)
        args = []
        i = 1
        while i < form.size
          args << evaluate(form[i], scope)
          i += 1
        end
        return function.call(*args) unless function.is_a?(Closure)
        scope = Scope.new(function.scope, function.names, args)
        body = function.body
        body[0..-2].each { |f| evaluate(f, scope) } if body.size > 1
        form = body.last
      else return form
      end
    end
  end

  def quoted(form)
    return form unless form.is_a?(Array)
    form.reverse.inject(nil) { |rest, x| [quoted(x), rest] }
  end

  def show(value)
    return "()" if value.nil?
    return value.to_s unless value.is_a?(Array)
    parts = []
    while value.is_a?(Array)
      parts << show(value[0])
      value = value[1]
    end
    "(#{parts.join(" ")})"
  end
end

lisp = Lisp.new
lisp.run <<~LISP
  (define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
  (define (map f l) (if (null? l) nil (cons (f (car l)) (map f (cdr l)))))
  (define (fold f a l) (if (null? l) a (fold f (f a (car l)) (cdr l))))
  (define (range a b) (if (< a b) (cons a (range (+ a 1) b)) nil))
  (define (filter p l)
    (cond ((null? l) nil) ((p (car l)) (cons (car l) (filter p (cdr l)))) (else (filter p (cdr l)))))
  (define (append a b) (if (null? a) b (cons (car a) (append (cdr a) b))))
  (define (sort l)
    (if (null? l) nil
      (let ((p (car l)))
        (append (sort (filter (lambda (x) (< x p)) (cdr l)))
                (cons p (sort (filter (lambda (x) (not (< x p))) (cdr l))))))))
  (define (counter) (let ((n 0)) (lambda () (begin (set! n (+ n 1)) n))))
  (define (loop i acc) (if (= i 0) acc (loop (- i 1) (+ acc (remainder (* i i) 7)))))
LISP

puts lisp.run("(fib 22)")
puts lisp.show(lisp.run("(map (lambda (x) (* x x)) (range 0 20))"))
puts lisp.run("(fold + 0 (range 0 500))")
puts lisp.show(lisp.run("(sort (map (lambda (x) (remainder (* x 7919) 251)) (range 1 120)))"))
puts lisp.run("(define c (counter)) (c) (c) (c)")
puts lisp.run("(loop 100000 0)")
puts lisp.show(lisp.run("(quote (a (b c) 1 2))"))
