# Languages inside Ruby: a schema with generated methods, validations, a query builder, an XML builder, hooks.
module Schema
  def self.included(base)
    base.extend(ClassMethods)
    base.instance_variable_set(:@fields, {})
    base.instance_variable_set(:@rules, [])
  end

  module ClassMethods
    attr_reader :fields, :rules

    def inherited(child)
      super
      child.instance_variable_set(:@fields, fields.dup)
      child.instance_variable_set(:@rules, rules.dup)
    end

    def field(name, type, default: nil)
      fields[name] = type
      define_method(name) { instance_variable_defined?("@#{name}") ? instance_variable_get("@#{name}") : default }
      define_method("#{name}=") { |value| instance_variable_set("@#{name}", Schema.convert(value, type)) }
      define_method("#{name}?") { !!public_send(name) }
    end

    %i[presence range format].each do |kind|
      define_method("validates_#{kind}") do |*names, **options|
        names.each { |name| rules << [kind, name, options] }
      end
    end
  end

  def self.convert(value, type)
    case type
    when :integer then value.to_i
    when :float then value.to_f
    when :string then value.to_s
    when :list then Array(value)
    else value
    end
  end

  def initialize(**values)
    values.each { |name, value| public_send("#{name}=", value) }
  end

  def errors
    self.class.rules.each_with_object([]) do |(kind, name, options), list|
      value = public_send(name)
      good = case kind
             when :presence then !(value.nil? || value == "")
             when :range then options[:in].cover?(value)
             when :format then options[:with].match?(value.to_s)
             end
      list << "#{name} fails #{kind}" unless good
    end
  end

  def to_h = self.class.fields.keys.to_h { |name| [name, public_send(name)] }
end

class Person
  include Schema

  field :name, :string
  field :age, :integer, default: 18
  field :mail, :string
  validates_presence :name
  validates_range :age, in: 0..120
  validates_format :mail, with: /\A\w+@\w+\.\w+\z/
end

class Worker < Person
  field :salary, :float
  field :skills, :list, default: []
  validates_range :salary, in: 100.0..9000.0
end

class Query
  OPERATORS = { eq: :==, lt: :<, gt: :>, le: :<=, ge: :>= }.freeze

  def initialize(rows)
    @rows = rows
    @steps = []
  end

  def method_missing(name, *args, &block)
    match = name.to_s.match(/\Awhere_(?<field>\w+?)_(?<op>eq|lt|gt|le|ge)\z/)
    if match
      field = match[:field].to_sym
      operator = OPERATORS[match[:op].to_sym]
      value = args.first
      @steps << ->(rows) { rows.select { |row| row.public_send(field).public_send(operator, value) } }
      self
    elsif name.to_s.start_with?("by_")
      field = name.to_s.delete_prefix("by_").to_sym
      @steps << ->(rows) { rows.sort_by { |row| row.public_send(field) } }
      self
    else
      super
    end
  end

  def respond_to_missing?(name, include_private = false)
    name.to_s.start_with?("where_", "by_") || super
  end

  def to_a = @steps.inject(@rows) { |rows, step| step.(rows) }
end

class Markup < BasicObject
  def initialize
    @out = ::String.new
    @depth = 0
  end

  def method_missing(tag, text = nil, **attributes, &block)
    pairs = attributes.map { |k, v| %( #{k}="#{v}") }.join
    indent = "  " * @depth
    if block
      @out << "#{indent}<#{tag}#{pairs}>\n"
      @depth += 1
      instance_eval(&block)
      @depth -= 1
      @out << "#{indent}</#{tag}>\n"
    else
      @out << "#{indent}<#{tag}#{pairs}>#{text}</#{tag}>\n"
    end
    self
  end

  def respond_to_missing?(*) = true

  def render = @out
end

module Traced
  CALLS = ::Hash.new(0)

  def self.prepended(base)
    base.instance_methods(false).each do |name|
      define_method(name) do |*args, **opts, &block|
        CALLS["#{base}##{name}"] += 1
        super(*args, **opts, &block)
      end
    end
  end
end

class Account
  def initialize = @balance = 0
  def deposit(n) = @balance += n
  def withdraw(n, fee: 1) = @balance -= n + fee
  def balance = @balance
  prepend Traced
end

rows = Array.new(5000) do |i|
  Worker.new(name: "w#{i}", age: (i * 37) % 130, mail: i % 7 == 0 ? "bad" : "w#{i}@site.org", salary: (i * 97) % 10_000,
             skills: i.even? ? %w[ruby] : nil)
end
errors = rows.flat_map(&:errors).tally
errors.sort.each { |message, n| puts "#{message}: #{n}" }

9.times do |i|
  found = Query.new(rows).where_age_ge(20 + i).where_age_lt(40 + i).where_salary_gt(3000.0).by_salary.to_a
  puts "#{found.size} #{found.first.name} #{found.last.name} #{found.sum(&:age)}"
end
puts Query.new(rows).respond_to?(:where_age_eq), Query.new([]).respond_to?(:nothing)
begin
  Query.new(rows).nothing
rescue NoMethodError => error
  puts error.name
end

page = nil
200.times do
  page = Markup.new
  page.html(lang: "en") do
    head { title "Workers" }
    body do
      table(border: 1) do
        rows.first(40).each { |w| tr(id: w.name) { td(w.age); td(w.salary, class: "money") } }
      end
    end
  end
end
puts page.render.lines.first(8), page.render.size

account = Account.new
200_000.times do |i|
  account.deposit(i % 11)
  account.withdraw(i % 7, fee: i.even? ? 0 : 1)
end
puts account.balance
Traced::CALLS.sort.each { |name, n| puts "#{name} #{n}" }

klass = Class.new do
  20.times { |i| class_eval("def m#{i}(x) = x * #{i} + @base", __FILE__, __LINE__) }
  attr_accessor :base
end
object = klass.new
object.base = 3
total = 0
60_000.times { |i| total += object.send(:"m#{i % 20}", i) }
puts total
puts klass.instance_methods(false).size, klass.instance_method(:m3).arity, object.method(:m7).unbind.bind(object).call(2)
counter = Module.new { def self.===(other) = other.is_a?(Integer) && other.even? }
puts (1..200_000).count { |n| case n when counter then true else false end }
dynamic = Object.new
80.times { |i| dynamic.define_singleton_method("s#{i}") { |x = i| x + i } }
puts (0...80).sum { |i| dynamic.public_send("s#{i}") }
