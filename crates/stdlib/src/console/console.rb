# frozen_string_literal: true

# The modes of a terminal, reading from it key by key, and its size.
class IO
  # What a terminal does with what is typed and written, apart from the terminal.
  class ConsoleMode
    class << self
      undef_method :new
    end

    attr_accessor :__numbers
    private :__numbers, :__numbers=

    def echo=(shown)
      @__numbers = IO.__send__(:__change_terminal_mode, @__numbers, shown ? :echo : :noecho, nil, nil, nil)
    end

    def raw!(min: nil, time: nil, intr: nil)
      @__numbers = IO.__send__(:__raw_mode, @__numbers, min, time, intr)
      self
    end

    def raw(min: nil, time: nil, intr: nil) = dup.raw!(min: min, time: time, intr: intr)
  end

  class << self
    # The terminal that the process belongs to, the same object each time; with a name, what its method of that name returns.
    def console(name = (only = true; nil), *args, **options)
      raise TypeError, "wrong argument type #{name.class} (expected Symbol)" unless only || Symbol === name

      if name == :close
        @console&.close
        @console = nil
        return
      end
      @console = nil if @console&.closed?
      @console ||=
        begin
          File.open("/dev/tty", "r+").tap { |terminal| terminal.sync = true }
        rescue SystemCallError
          nil
        end
      only || @console.nil? ? @console : @console.__send__(name, *args, **options)
    end

    private def __raw_mode(numbers, min, time, intr)
      min = Integer(min) if min
      time = (time * 10).to_i if time
      unless intr.nil? || intr == true || intr == false
        raise ArgumentError, "true or false expected as intr: #{intr.inspect}"
      end

      __change_terminal_mode(numbers, :raw, min, time, intr)
    end
  end

  def console_mode
    mode = ConsoleMode.allocate
    mode.__send__(:__numbers=, __terminal_mode)
    mode
  end

  def console_mode=(mode)
    unless ConsoleMode === mode
      raise TypeError, "wrong argument type #{mode.class} (expected console-mode)"
    end

    __set_terminal_mode(mode.__send__(:__numbers))
  end

  def raw(min: nil, time: nil, intr: nil)
    __in_mode(IO.__send__(:__raw_mode, __terminal_mode, min, time, intr)) { yield self }
  end

  def raw!(min: nil, time: nil, intr: nil)
    __set_terminal_mode(IO.__send__(:__raw_mode, __terminal_mode, min, time, intr))
    self
  end

  def cooked = __in_mode(__changed_mode(:cooked)) { yield self }

  def cooked!
    __set_terminal_mode(__changed_mode(:cooked))
    self
  end

  def noecho = __in_mode(__changed_mode(:noecho)) { yield self }

  def echo=(shown)
    __set_terminal_mode(__changed_mode(shown ? :echo : :noecho))
  end

  def echo? = __changed_mode(:echo?)

  # A character as it is typed, which is not shown.
  def getch(min: nil, time: nil, intr: nil) = raw(min: min, time: time, intr: intr) { getc }

  # A line, which is not shown.
  def getpass(prompt = nil)
    terminal = fileno == 0 ? $stderr : self
    terminal.print(prompt) if prompt
    line = noecho { gets }
    terminal.puts
    line&.chomp
  end

  def winsize = __winsize

  def winsize=(size)
    size = Array(size)
    unless size.size == 2 || size.size == 4
      raise ArgumentError, "wrong number of arguments (given #{size.size}, expected 2 or 4)"
    end

    __set_terminal_size(size[0], size[1], size[2] || 0, size[3] || 0)
  end

  def iflush = __discard(:input)

  def oflush = __discard(:output)

  def ioflush = __discard(:both)

  def ttyname = __terminal_name

  private def __changed_mode(how) = IO.__send__(:__change_terminal_mode, __terminal_mode, how, nil, nil, nil)

  private def __in_mode(numbers)
    before = __terminal_mode
    __set_terminal_mode(numbers)
    begin
      yield
    ensure
      __set_terminal_mode(before) unless closed?
    end
  end
end

# What streams that are no terminals do when a key or a line is to be read unseen.
IO.__send__(:__generic_readable).module_eval do
  def getch(*args) = getc(*args)

  def getpass(*prompt)
    raise ArgumentError, "wrong number of arguments (given #{prompt.size}, expected 0..1)" if prompt.size > 1
    write(Asterism::Internal.to_str(prompt[0])) unless nil.equal?(prompt[0])
    flush if respond_to?(:flush)
    begin
      line = gets
    ensure
      write("\n")
    end
    line&.chomp
  end
end
