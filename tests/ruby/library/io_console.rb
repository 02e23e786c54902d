require "io/console"

# What the terminal is told, here through a pipe.
r, w = IO.pipe
told = lambda do |&block|
  block.call
  r.read_nonblock(100)
end
p told.() { w.goto(1, 2) } # => "\e[2;3H"
p told.() { w.cursor = [0, 5] } # => "\e[1;6H"
p told.() { w.goto_column(7) } # => "\e[8G"
p told.() { w.cursor_up(2).cursor_down(3).cursor_left(4).cursor_right(5) } # => "\e[2A\e[3B\e[4D\e[5C"
p told.() { w.cursor_up(-2).cursor_right(-1) } # => "\e[2B\e[1D"
p told.() { w.cursor_up(0).scroll_forward(1).scroll_backward(2) } # => "\e[1S\e[2T"
p told.() { w.erase_line(1).erase_screen(3) } # => "\e[1K\e[3J"
p told.() { w.clear_screen } # => "\e[2J\e[1;1H"
p told.() { w.beep } # => "\a"

def attempt
  yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

attempt { w.erase_line(3) } # => ArgumentError: wrong line erase mode: 3
attempt { w.erase_screen(4) } # => ArgumentError: wrong screen erase mode: 4
attempt { w.cursor = 1 } # => TypeError: no implicit conversion of Integer into Array
attempt { w.winsize = [1] } # => ArgumentError: wrong number of arguments (given 1, expected 2 or 4)

# What is no terminal says so.
attempt { r.raw {} } # => Errno::ENOTTY: Inappropriate ioctl for device
attempt { r.getch } # => Errno::ENOTTY: Inappropriate ioctl for device
attempt { r.console_mode } # => Errno::ENOTTY: Inappropriate ioctl for device
attempt { r.winsize } # => Errno::ENOTTY: Inappropriate ioctl for device
attempt { r.echo = false } # => Errno::ENOTTY: Inappropriate ioctl for device
attempt { r.console_mode = 1 } # => TypeError: wrong argument type Integer (expected console-mode)
p r.ttyname # => nil
p IO.instance_method(:raw).owner, r.respond_to?(:pressed?)
# => IO
# => false
