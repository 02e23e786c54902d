# An operating system kernel in miniature: tasks, packets and a scheduler (after Martin Richards).
class Packet
  attr_accessor :link, :ident, :datum
  attr_reader :kind, :data

  def initialize(link, ident, kind)
    @link = link
    @ident = ident
    @kind = kind
    @datum = 0
    @data = Array.new(4, 0)
  end

  # Puts this packet at the end of the list that starts with `head`; returns the list.
  def append_to(head)
    @link = nil
    return self unless head

    last = head
    last = last.link while last.link
    last.link = self
    head
  end
end

class Task
  attr_reader :link, :ident, :priority
  attr_accessor :pending, :waiting, :held

  def initialize(scheduler, ident, priority, queue, pending:, waiting:)
    @scheduler = scheduler
    @ident = ident
    @priority = priority
    @queue = queue
    @pending = pending
    @waiting = waiting
    @held = false
    @link = scheduler.register(self)
  end

  def suspended?
    @held || (!@pending && @waiting)
  end

  # Hands the task its next packet, if it has one and waits for one, and lets it work.
  def dispatch
    packet = nil
    if @pending && @waiting
      packet = @queue
      @queue = packet.link
      @pending = !@queue.nil?
      @waiting = false
    end
    work(packet)
  end

  def accept(packet, from)
    if @queue
      @queue = packet.append_to(@queue)
    else
      packet.link = nil
      @queue = packet
      @pending = true
      return self if @priority > from.priority
    end
    from
  end

  private

  def wait
    @waiting = true
    self
  end
end

class IdleTask < Task
  def initialize(scheduler, ident, count)
    super(scheduler, ident, 0, nil, pending: false, waiting: false)
    @count = count
    @control = 1
  end

  def work(_packet)
    @count -= 1
    return @scheduler.hold(self) if @count.zero?

    if @control.even?
      @control /= 2
      @scheduler.release(:device_a, self)
    else
      @control = (@control / 2) ^ 0xD008
      @scheduler.release(:device_b, self)
    end
  end
end

class WorkerTask < Task
  def initialize(scheduler, ident, priority, queue)
    super(scheduler, ident, priority, queue, pending: true, waiting: true)
    @destination = :handler_a
    @letter = 0
  end

  def work(packet)
    return wait unless packet

    @destination = @destination == :handler_a ? :handler_b : :handler_a
    packet.ident = @destination
    packet.datum = 0
    packet.data.each_index do |i|
      @letter = @letter == 26 ? 1 : @letter + 1
      packet.data[i] = 64 + @letter
    end
    @scheduler.send_packet(packet, self)
  end
end

class HandlerTask < Task
  def initialize(scheduler, ident, priority, queue)
    super(scheduler, ident, priority, queue, pending: true, waiting: true)
    @work_in = nil
    @device_in = nil
  end

  def work(packet)
    case packet&.kind
    when :work then @work_in = packet.append_to(@work_in)
    when :device then @device_in = packet.append_to(@device_in)
    end

    return wait unless @work_in

    work = @work_in
    count = work.datum
    if count >= work.data.size
      @work_in = work.link
      return @scheduler.send_packet(work, self)
    end
    return wait unless @device_in

    device = @device_in
    @device_in = device.link
    device.datum = work.data[count]
    work.datum = count + 1
    @scheduler.send_packet(device, self)
  end
end

class DeviceTask < Task
  def initialize(scheduler, ident, priority)
    super(scheduler, ident, priority, nil, pending: false, waiting: true)
    @in_flight = nil
  end

  def work(packet)
    if packet
      @in_flight = packet
      return @scheduler.hold(self)
    end
    return wait unless @in_flight

    done = @in_flight
    @in_flight = nil
    @scheduler.send_packet(done, self)
  end
end

class Scheduler
  attr_reader :queued, :holds

  def initialize
    @tasks = {}
    @list = nil
    @queued = 0
    @holds = 0
  end

  def register(task)
    previous = @list
    @tasks[task.ident] = task
    @list = task
    previous
  end

  def run
    task = @list
    while task
      task = task.suspended? ? task.link : task.dispatch
    end
  end

  def hold(task)
    @holds += 1
    task.held = true
    task.link
  end

  def release(ident, from)
    task = @tasks.fetch(ident)
    task.held = false
    task.priority > from.priority ? task : from
  end

  def send_packet(packet, from)
    task = @tasks.fetch(packet.ident)
    @queued += 1
    packet.link = nil
    packet.ident = from.ident
    task.accept(packet, from)
  end
end

def packets(ident, kind, count)
  count.times.inject(nil) { |list, _| Packet.new(list, ident, kind) }
end

def simulate(count)
  scheduler = Scheduler.new
  IdleTask.new(scheduler, :idle, count)
  WorkerTask.new(scheduler, :worker, 1000, packets(:worker, :work, 2))
  HandlerTask.new(scheduler, :handler_a, 2000, packets(:device_a, :device, 3))
  HandlerTask.new(scheduler, :handler_b, 3000, packets(:device_b, :device, 3))
  DeviceTask.new(scheduler, :device_a, 4000)
  DeviceTask.new(scheduler, :device_b, 5000)
  scheduler.run
  [scheduler.queued, scheduler.holds]
end

rounds = (ARGV[0] || 45).to_i
results = Array.new(rounds) { simulate(10_000) }
puts "different results: #{results.uniq.size}"
queued, holds = results.first
puts "packets queued: #{queued}"
puts "tasks held: #{holds}"
