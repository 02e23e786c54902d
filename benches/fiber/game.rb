# A game's objects, each moved by a fiber of its own: updates of the whole screen a second.
#
# Usage: game.rb [OBJECTS] [UPDATES]
OBJECTS = (ARGV[0] || 100).to_i
UPDATES = (ARGV[1] || 2_000_000 / OBJECTS).to_i

class Ship
  attr_reader :x, :y

  def initialize(number)
    @x = number % 640
    @y = number % 480
    @speed = number % 5 + 1
    @script = Fiber.new { fly }
  end

  def update
    @script.resume
  end

  def fly
    while true
      16.times { move(@speed, 0) }
      16.times { move(0, @speed) }
      2.times { |i| 8.times { move(-2 * @speed * i, -@speed) } }
    end
  end

  def move(dx, dy)
    @x = (@x + dx) % 640
    @y = (@y + dy) % 480
    Fiber.yield
  end
end

ships = Array.new(OBJECTS) { |i| Ship.new(i) }
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
UPDATES.times { ships.each { |ship| ship.update } }
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
puts "result: #{ships.sum { |ship| ship.x * 1000 + ship.y }}"
puts format("fps: %.1f", UPDATES / elapsed)
puts format("wall: %.6f", elapsed)
