# frozen_string_literal: true

# dRuby between the VMs of a process (Sasada et al., 2012, section 3.3). A server listens on a channel, and its URI names
# the channel: `drb+mvm://ID`, where ID is what Channel#id says; `drb+mvm:` makes a new one. A client sends the channels of its
# connection there. What dRuby would copy goes as a message if it is cheap (immediates, Floats, Strings), and as the bytes that
# Marshal makes of it otherwise, so that everything else is as with a socket.
require "drb"

module DRb
  class DRbMVMChannel
    # What is sent is an Array of parts: requests of receiver, name, block, arguments; replies of success and result.
    class Message < DRbMessage
      def write(channel, objects, error = false)
        channel << objects.map { |object| part(object, error) }
      rescue TypeError
        # A String with methods of its own: Marshal refuses it, too, and dRuby sends a reference.
        channel << objects.map { |object| [bytes(object, error)] }
      end

      def read(channel)
        channel.recv.map { |part| object(part) }
      rescue RubyVM::Channel::ClosedError
        raise DRbConnError, "connection closed"
      end

      # The number of arguments is checked before any of them is looked at.
      def read_request(channel)
        ref, name, block, *arguments = parts = channel.recv
        raise DRbConnError, "too many arguments" if @argc_limit < parts.size - 3
        ref = object(ref)
        [DRb.to_obj(ref), object(name), arguments.map { |part| object(part) }, object(block)]
      rescue RubyVM::Channel::ClosedError
        raise DRbConnError, "connection closed"
      end

      private

      def part(object, error)
        case object
        when nil, true, false, Integer, Float, Symbol then object
        when String
          object.instance_of?(String) && object.instance_variables.empty? ? object : [bytes(object, error)]
        else [bytes(object, error)]
        end
      end

      # An object that is not copied is replaced by a reference.
      def bytes(object, error)
        object = make_proxy(object, error) if DRbUndumped === object || !(Object === object)
        begin
          Marshal.dump(object)
        rescue
          Marshal.dump(make_proxy(object, error))
        end
      end

      def object(part)
        return checked(part) unless Array === part
        bytes = checked(part[0])
        begin
          Marshal.load(bytes)
        rescue NameError, ArgumentError
          DRbUnknown.new($!, bytes)
        end
      end

      def checked(part)
        raise DRbConnError, "too large packet #{part.bytesize}" if String === part && @load_limit < part.bytesize
        part
      end
    end

    # One end of a connection.
    class Connection
      attr_reader :uri

      def initialize(uri, input, output, config)
        @uri = uri
        @input = input
        @output = output
        @message = Message.new(config)
        # So that the other end learns of it when this one is forgotten, or its VM ends.
        ObjectSpace.define_finalizer(self, Connection.closer(input, output))
      end

      def self.closer(*channels)
        proc { channels.each(&:close) }
      end

      def send_request(ref, name, arguments, block)
        send([ref.__drbref, name.id2name, block, *arguments])
      end

      def recv_request
        @message.read_request(@input)
      end

      def send_reply(success, result)
        send([success, result], !success)
      end

      def recv_reply
        @message.read(@input)
      end

      def alive?
        return true if !@input.closed? && @input.empty?
        close
        false
      end

      def close
        @input.close
        @output.close
      end

      private

      def send(objects, error = false)
        @message.write(@output, objects, error)
      rescue
        raise DRbConnError, $!.message, $!.backtrace
      end
    end

    # What accepts connections.
    class Listener
      attr_reader :uri

      def initialize(uri, channel, config)
        @uri = uri
        @channel = channel
        @config = config
      end

      # A connection; nil when the service is stopped.
      def accept
        input, output = @channel.recv
        Connection.new(@uri, input, output, @config)
      rescue RubyVM::Channel::ClosedError
        nil
      end

      # Who was not accepted before learns that nobody will.
      def close
        @channel.close
        while (channels = @channel.try_recv)
          channels.each(&:close)
        end
      rescue RubyVM::Channel::ClosedError
      end
      alias shutdown close
    end

    class << self
      def open(uri, config)
        listener = channel(uri)
        input = RubyVM::Channel.new
        output = RubyVM::Channel.new
        begin
          listener << [output, input]
        rescue RubyVM::Channel::ClosedError
          raise DRbConnError, "#{uri} - #{$!.inspect}"
        end
        Connection.new(uri, input, output, config)
      end

      def open_server(uri, config)
        listener = uri && uri.match?(/\Adrb\+mvm:(\/\/)?\z/) ? RubyVM::Channel.new : channel(uri)
        Listener.new("drb+mvm://#{listener.id}", listener, config)
      end

      def uri_option(uri, _config)
        id, option = parse(uri)
        ["drb+mvm://#{id}", option]
      end

      private

      def channel(uri)
        id, = parse(uri)
        RubyVM::Channel.find(id) or raise DRbConnError, "#{uri} - there is no channel #{id}"
      end

      def parse(uri)
        match = /\Adrb\+mvm:\/\/(\d+)(?:\?(.*))?\z/.match(uri)
        return [match[1].to_i, match[2]] if match
        raise DRbBadScheme, uri unless uri.to_s.start_with?("drb+mvm:")
        raise DRbBadURI, "can't parse uri:#{uri}"
      end
    end
  end

  DRbProtocol.add_protocol(DRbMVMChannel)
end
