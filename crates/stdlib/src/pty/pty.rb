# frozen_string_literal: true

# Programs that run on a terminal of their own.
module PTY
  # Raised by `PTY.check` when asked to.
  class ChildExited < StandardError
    attr_reader :status

    def initialize(message = nil, status = nil)
      super(*message)
      @status = status
    end

    def value = status
  end

  class << self
    # The two ends of a new terminal, in the block's time only if there is one.
    def open
      master, slave = __open
      return [master, slave] unless block_given?
      begin
        yield [master, slave]
      ensure
        master.close
        slave.close
      end
    end

    # Runs a command, or the user's shell, on a new terminal: what it writes, what it reads, and its number.
    def spawn(*command)
      reader = __master(true)
      path = reader.path
      begin
        slave = File.open(path, File::RDWR | File::NOCTTY)
        command = [__shell] if command.empty?
        pid = Process.__send__(:__start, command, { in: slave, out: slave, err: slave }, false, true)
        writer = __writer(reader)
        writer.sync = true
      rescue Exception
        reader.close
        raise
      ensure
        slave&.close
      end
      return [reader, writer, pid] unless block_given?
      begin
        yield [reader, writer, pid]
      ensure
        Process.detach(pid) if __runs?(pid)
      end
      nil
    end

    alias getpty spawn

    # How a child has ended or stopped; nil if it has not.
    def check(pid, raising = false)
      return unless __changed(pid)
      status = $?
      return status unless raising
      state =
        if status.stopped? then "stopped"
        elsif __there?(pid) then "changed"
        else "exited"
        end
      raise ChildExited.new("pty - #{state}: #{pid}", status)
    end

    private

    def __open
      master = __master(false)
      begin
        slave = File.open(master.path.delete_prefix("masterpty:"), File::RDWR | File::NOCTTY)
      rescue Exception
        master.close
        raise
      end
      master.sync = slave.sync = true
      [master, slave]
    end

    def __shell
      ENV["SHELL"] || begin
        require "etc"
        shell =
          begin
            Etc.getpwuid.shell
          rescue ArgumentError
            ""
          end
        shell.empty? ? "/bin/sh" : shell
      end
    end

    def __changed(pid)
      Process.wait(pid, Process::WNOHANG | Process::WUNTRACED)
    rescue Errno::ECHILD
      nil
    end

    def __runs?(pid)
      Process.wait(pid, Process::WNOHANG).nil?
    rescue Errno::ECHILD
      false
    end

    def __there?(pid)
      Process.kill(0, pid)
    rescue SystemCallError
      false
    end
  end
end
