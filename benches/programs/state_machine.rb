# State machines: a table-driven recogniser of numbers, a vending machine with handlers, and an elevator.
class Recognizer
  TABLE = {
    start: { digit: :integer, sign: :signed, dot: :point },
    signed: { digit: :integer, dot: :point },
    integer: { digit: :integer, dot: :fraction, exponent: :mark },
    point: { digit: :fraction },
    fraction: { digit: :fraction, exponent: :mark },
    mark: { digit: :power, sign: :power_sign },
    power_sign: { digit: :power },
    power: { digit: :power }
  }.freeze
  ACCEPTING = { integer: :int, fraction: :float, power: :float }.freeze

  def classify(char)
    case char
    when "0".."9" then :digit
    when "+", "-" then :sign
    when "." then :dot
    when "e", "E" then :exponent
    end
  end

  def run(text)
    state = :start
    text.each_char do |char|
      state = TABLE[state][classify(char)]
      return :none if state.nil?
    end
    ACCEPTING.fetch(state, :none)
  end
end

class Machine
  class Invalid < StandardError; end

  class << self
    def transitions = (@transitions ||= {})

    def on(event, from:, to:, &action)
      Array(from).each { |state| transitions[[state, event]] = [to, action] }
    end
  end

  attr_reader :state, :log

  def initialize(state)
    @state = state
    @log = Hash.new(0)
  end

  def fire(event, *args)
    to, action = self.class.transitions.fetch([@state, event]) { raise Invalid, "#{event} in #{@state}" }
    result = action ? instance_exec(*args, &action) : nil
    @log[[@state, to]] += 1
    @state = result.is_a?(Symbol) ? result : to
  end
end

class Vending < Machine
  attr_reader :sold, :returned

  def initialize
    super(:idle)
    @credit = 0
    @sold = Hash.new(0)
    @returned = 0
  end

  PRICES = { tea: 120, coffee: 150, soup: 200 }.freeze

  on(:coin, from: %i[idle collecting], to: :collecting) { |value| @credit += value; nil }
  on(:choose, from: :collecting, to: :serving) do |what|
    price = PRICES.fetch(what)
    if @credit < price
      :collecting
    else
      @credit -= price
      @sold[what] += 1
      nil
    end
  end
  on(:cancel, from: :collecting, to: :idle) { @returned += @credit; @credit = 0; nil }
  on(:done, from: :serving, to: :idle) { @returned += @credit; @credit = 0; nil }
end

class Elevator
  attr_reader :floor, :travelled, :served

  def initialize(floors)
    @floors = floors
    @floor = 0
    @state = :idle
    @calls = Array.new(floors, false)
    @travelled = @served = 0
  end

  def call(floor)
    @calls[floor] = true
  end

  def tick
    case @state
    when :idle
      target = @calls.index(true)
      @state = target.nil? ? :idle : target > @floor ? :up : target < @floor ? :down : :open
    when :up then move(1, @calls[(@floor + 1)..])
    when :down then move(-1, @calls[0...@floor])
    when :open
      @served += 1 if @calls[@floor]
      @calls[@floor] = false
      @state = :idle
    end
  end

  private

  def move(by, ahead)
    if @calls[@floor]
      @state = :open
    elsif ahead.any?
      @floor += by
      @travelled += 1
    else
      @state = :idle
    end
  end
end

recognizer = Recognizer.new
samples = %w[1 -12 3.14 .5 1e10 -2.5E-3 abc 1.2.3 + 1e e5 12. 0x1f 99999999 6.02e+23]
puts samples.map { |s| "#{s}:#{recognizer.run(s)}" }.join(" ")
tally = Hash.new(0)
7000.times { |i| samples.each { |s| tally[recognizer.run(s + (i % 10).to_s)] += 1 } }
puts tally.sort.inspect.delete('"')

machine = Vending.new
errors = Hash.new(0)
seed = 17
130_000.times do
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
  choice = (seed >> 16) % 8
  begin
    case choice
    when 0..3 then machine.fire(:coin, [10, 20, 50, 100][choice])
    when 4 then machine.fire(:choose, %i[tea coffee soup][(seed >> 20) % 3])
    when 5, 6 then machine.fire(:done)
    else machine.fire(:cancel)
    end
  rescue Machine::Invalid => error
    errors[error.message] += 1
  end
end
puts machine.sold.sort.map { |k, v| "#{k} #{v}" }.join(", "), machine.returned
errors.sort.each { |message, n| puts "#{message}: #{n}" }
machine.log.sort.each { |(from, to), n| puts "#{from} -> #{to}: #{n}" }

elevator = Elevator.new(12)
450_000.times do |i|
  elevator.call((i * 7 + i / 3) % 12) if (i % 9).zero?
  elevator.tick
end
puts "#{elevator.floor} #{elevator.travelled} #{elevator.served}"
