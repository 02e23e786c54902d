# frozen_string_literal: true

# What terminals do when they are sent sequences of ECMA-48.
class IO
  def beep = __tell("\a")

  # Row and column of the cursor, which the terminal is asked for; nil when it says something else.
  def cursor
    raw do
      __tell("\e[6n")
      return unless getbyte == 0x1b && getbyte == 0x5b

      row = __number(0x3b)
      column = __number(0x52) if row
      [row - 1, column - 1] if column
    end
  end

  def cursor=(place)
    place = __coordinates(place)
    raise ArgumentError, "expected 2D coordinate" unless place.size == 2

    goto(*place)
  end

  def goto(row, column) = __tell("\e[#{Integer(row) + 1};#{Integer(column) + 1}H")

  def goto_column(column) = __tell("\e[#{Integer(column) + 1}G")

  def cursor_up(count) = __move(-Integer(count), "A", "B")

  def cursor_down(count) = __move(Integer(count), "A", "B")

  def cursor_left(count) = __move(-Integer(count), "D", "C")

  def cursor_right(count) = __move(Integer(count), "D", "C")

  def scroll_forward(count) = __move(-Integer(count), "S", "T")

  def scroll_backward(count) = __move(Integer(count), "S", "T")

  # 0: from the cursor to the end, 1: from the beginning to the cursor, 2: all.
  def erase_line(mode)
    raise ArgumentError, "wrong line erase mode: #{mode}" unless (0..2).cover?(Integer(mode))

    __tell("\e[#{mode}K")
  end

  # As `erase_line`; 3: what has scrolled away too.
  def erase_screen(mode)
    raise ArgumentError, "wrong screen erase mode: #{mode}" unless (0..3).cover?(Integer(mode))

    __tell("\e[#{mode}J")
  end

  def clear_screen
    erase_screen(2)
    goto(0, 0)
  end

  private def __move(count, back, forth)
    count == 0 ? self : __tell("\e[#{count.abs}#{count < 0 ? back : forth}")
  end

  private def __coordinates(list)
    Array.try_convert(list) || raise(TypeError, "no implicit conversion of #{list.class} into Array")
  end

  private def __tell(sequence)
    write(sequence)
    flush
  end

  # The digits before a byte.
  private def __number(terminator)
    number = nil
    while (byte = getbyte) != terminator
      return unless byte && (0x30..0x39).cover?(byte)

      number = (number || 0) * 10 + byte - 0x30
    end
    number
  end
end
