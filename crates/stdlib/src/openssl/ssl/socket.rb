# frozen_string_literal: true

module OpenSSL
  module SSL
    # Name, version, bits of a cipher, and bits of its algorithm.
    def self.__cipher(handle)
      bits = Primitive.openssl(nil, :SSL_CIPHER_get_bits, handle)
      [Primitive.openssl(nil, :SSL_CIPHER_get_name, handle), Primitive.openssl(nil, :SSL_CIPHER_get_version, handle), *bits]
    end
    private_class_method :__cipher

    # A connection over a socket. A thread that waits for the socket holds no lock of the connection.
    class SSLSocket
      undef_method :initialize_copy

      # `SSL_ERROR_…`
      SYSCALL = 5
      ZERO_RETURN = [6, 0, false, nil, [].freeze].freeze
      # `X509_V_ERR_HOSTNAME_MISMATCH`
      HOSTNAME_MISMATCH = 62
      private_constant :SYSCALL, :ZERO_RETURN, :HOSTNAME_MISMATCH

      def initialize(io, context = SSLContext.new)
        raise SSLError, "SSL already initialized" if @__handle
        unless Primitive.kind_of(context, SSLContext)
          raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(context)} (expected OpenSSL/SSL/CTX)"
        end
        @context = context
        context.setup
        io.nonblock = true if io.respond_to?(:nonblock=)
        raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(io)} (expected File)" unless Primitive.kind_of(io, IO)
        @io = io
        connection = Primitive.openssl([SSLError, ""], :SSL_new, context)
        Primitive.openssl(nil, :SSL_set_info_callback, connection) if context.renegotiation_cb
        @__writing = Thread::Mutex.new
        @__handle = connection
        super()
      end

      def connect = __start(false, "SSL_connect", false, true)
      def connect_nonblock(exception: true) = __start(false, "SSL_connect", true, !false.equal?(exception))
      def accept = __start(true, "SSL_accept", false, true)
      def accept_nonblock(exception: true) = __start(true, "SSL_accept", true, !false.equal?(exception))

      def sysread(length, buffer = nil) = __read(length, buffer, false, true)
      def syswrite(string) = __write(string, false, true)

      def cert = __certificate(Primitive.openssl(nil, :SSL_get_certificate, self))

      # A copy, which nobody else's change shows in.
      def peer_cert
        handle = Primitive.openssl(nil, :SSL_get1_peer_certificate, self)
        handle && __certificate(Primitive.openssl(SSLError, :X509_dup, handle))
      end

      def peer_cert_chain = Primitive.openssl(nil, :SSL_get_peer_cert_chain, self)&.map { |handle| __certificate(handle) }

      def ssl_version = Primitive.openssl(nil, :SSL_get_version, self)

      def cipher
        handle = Primitive.openssl(nil, :SSL_get_current_cipher, self)
        handle && SSL.__send__(:__cipher, handle)
      end

      def state
        short = Primitive.openssl(nil, :SSL_state_string, self)
        $VERBOSE ? "#{short}: #{Primitive.openssl(nil, :SSL_state_string_long, self)}" : short
      end

      def pending = Primitive.openssl(nil, :SSL_pending, self)
      def session_reused? = Primitive.openssl(nil, :SSL_session_reused, self)

      def session=(session)
        Primitive.openssl(SSLError, :SSL_set_session, self, session)
      end

      def verify_result = Primitive.openssl(nil, :SSL_get_verify_result, self)

      def client_ca
        Primitive.openssl(nil, :SSL_get_client_CA_list, self)&.map { |handle| OpenSSL.__send__(:__wrap, X509::Name, handle) }
      end

      def hostname=(hostname)
        hostname = Asterism::Internal.to_str(hostname) unless nil.equal?(hostname)
        Primitive.openssl([SSLError, ""], :SSL_set_tlsext_host_name, self, hostname)
        @hostname = hostname
      end

      def finished_message = Primitive.openssl(nil, :ssl_finished, self, 0) || nil
      def peer_finished_message = Primitive.openssl(nil, :ssl_finished, self, 1) || nil
      def npn_protocol = Primitive.openssl(nil, :ssl_npn_protocol, self) || nil
      def alpn_protocol = Primitive.openssl(nil, :ssl_alpn_protocol, self) || nil

      def export_keying_material(label, length, context = nil)
        label = Asterism::Internal.to_str(label)
        Primitive.openssl(SSLError, :SSL_export_keying_material, self, length, label, context, nil.equal?(context) ? 0 : 1)
      end

      def tmp_key
        handle = Primitive.openssl(nil, :SSL_get_server_tmp_key, self)
        handle ? PKey.__send__(:__wrap, handle) : nil
      end

      if Primitive.openssl_has(:SSL_get0_signature_name)
        def sigalg = Primitive.openssl(nil, :SSL_get0_signature_name, self) || nil
        def peer_sigalg = Primitive.openssl(nil, :SSL_get0_peer_signature_name, self) || nil
      end

      if Primitive.openssl_has(:SSL_get0_group_name)
        def group = Primitive.openssl(nil, :SSL_get0_group_name, self)
      end

      private

      def sysread_nonblock(length, buffer = nil, exception: true) = __read(length, buffer, true, !false.equal?(exception))
      def syswrite_nonblock(string, exception: true) = __write(string, true, !false.equal?(exception))

      def stop
        return nil if !@__started || @io.closed?
        Primitive.openssl_shutdown(self)
        nil
      end

      def __start(accepts, name, nonblock, exception)
        __set_up
        while true
          outcome = Primitive.openssl_handshake(self, accepts)
          return self if true.equal?(outcome)
          if Primitive.kind_of(outcome, Symbol)
            return outcome if nonblock && !exception
            __wait(outcome, nonblock)
          else
            __fail_to_start(name, outcome || ZERO_RETURN)
          end
        end
      end

      def __set_up
        return if @__started
        raise IOError, "uninitialized stream" if nil.equal?(@io)
        __check_open
        Primitive.openssl(SSLError, :SSL_set_fd, self, @io.fileno)
        @__started = true
      end

      def __check_open
        raise IOError, "closed stream" if @io.closed?
      end

      def __fail_to_start(name, failure)
        code, errno, unverified, reason, lines = failure
        raise SystemCallError.new(name, errno) if code == SYSCALL && errno != 0
        state = Primitive.openssl(nil, :SSL_state_string_long, self)
        message = "#{name}#{" SYSCALL" if code == SYSCALL} returned=#{code} errno=#{errno} peeraddr=#{__peer} state=#{state}"
        if unverified
          reason = "#{reason} (#{Primitive.openssl(nil, :X509_verify_cert_error_string, verify_result)})"
          lines = []
        end
        __fail(message, reason, lines)
      end

      def __peer
        @io.remote_address.inspect_sockaddr
      rescue SystemCallError
        "(null)"
      end

      def __fail(message, reason, lines)
        error = SSLError.new(reason ? "#{message}: #{reason}" : message)
        Primitive.attribute_set(error, :__errors, lines)
        raise error
      end

      # Waits until the socket can go on with what the library wants of it.
      def __wait(what, nonblock)
        if what == :wait_readable
          raise SSLErrorWaitReadable, "read would block" if nonblock
          __check_open
          @io.wait_readable(@io.timeout) || raise(IO::TimeoutError, "Timed out while waiting to become readable!")
        else
          raise SSLErrorWaitWritable, "write would block" if nonblock
          __check_open
          @io.wait_writable(@io.timeout) || raise(IO::TimeoutError, "Timed out while waiting to become writable!")
        end
      end

      def __check_started
        raise SSLError, "SSL session is not started yet" unless @__started
      end

      def __read(length, buffer, nonblock, exception)
        __check_started
        length = Primitive.to_int(length)
        raise ArgumentError, "negative string size (or size too big)" if length < 0
        buffer = Asterism::Internal.to_str(buffer) unless nil.equal?(buffer)
        Primitive.raise_frozen_if(buffer) unless nil.equal?(buffer)
        return __filled(buffer, "".b) if length == 0
        while true
          __check_open
          outcome = Primitive.openssl_read(self, length)
          if Primitive.kind_of(outcome, String)
            return __filled(buffer, outcome)
          elsif Primitive.kind_of(outcome, Symbol)
            return outcome if nonblock && !exception
            __wait(outcome, nonblock)
          else
            return nil if __ended(outcome) && !exception
            raise EOFError, "end of file reached" if __ended(outcome)
            raise SystemCallError.new(nil, outcome[1]) if outcome[0] == SYSCALL && outcome[4].empty?
            __fail("SSL_read", outcome[3], outcome[4])
          end
        end
      end

      # The peer has said that nothing more comes, or has gone without a word.
      def __ended(outcome) = nil.equal?(outcome) || outcome[0] == SYSCALL && outcome[1] == 0 && outcome[4].empty?

      def __filled(buffer, bytes) = nil.equal?(buffer) ? bytes : buffer.replace(bytes)

      def __write(string, nonblock, exception)
        string = Asterism::Internal.to_str(string)
        __check_started
        return 0 if string.empty?
        # What the library could not write all of, it has to be given again, and nothing else before.
        nonblock ? __write_now(string, true, exception) : @__writing.synchronize { __write_now(string, false, true) }
      end

      def __write_now(string, nonblock, exception)
        while true
          __check_open
          outcome = Primitive.openssl_write(self, string)
          if Primitive.kind_of(outcome, Integer)
            return outcome
          elsif Primitive.kind_of(outcome, Symbol)
            return outcome if nonblock && !exception
            __wait(outcome, nonblock)
          else
            outcome ||= ZERO_RETURN
            raise SystemCallError.new(nil, outcome[1]) if outcome[0] == SYSCALL && outcome[1] != 0
            __fail("SSL_write", outcome[3], outcome[4])
          end
        end
      end

      def __certificate(handle) = handle && OpenSSL.__send__(:__wrap, X509::Certificate, handle)

      # What the library asks while it works; what these raise is raised by the method that has called it.

      def __verify(right, handle)
        right &&= __verify_hostname(handle)
        callback = @context.verify_callback
        return right if nil.equal?(callback)
        context = OpenSSL.__send__(:__wrap, X509::StoreContext, handle)
        context.__send__(:__call_back_with, callback)
        context.__send__(:__call_back, right)
      end

      def __verify_hostname(handle)
        return true if !@context.verify_hostname || Primitive.openssl(nil, :SSL_is_server, self) ||
                       Primitive.openssl(nil, :X509_STORE_CTX_get_error_depth, handle) != 0
        unless @hostname
          warn("verify_hostname requires hostname to be set") if $VERBOSE
          return true
        end
        certificate = __certificate(Primitive.openssl(nil, :X509_STORE_CTX_get_current_cert, handle))
        return true if true.equal?(SSL.verify_certificate_identity(certificate, @hostname))
        Primitive.openssl(nil, :X509_STORE_CTX_set_error, handle, HOSTNAME_MISMATCH)
        false
      end

      def __servername(name)
        context = @context.servername_cb.call([self, name])
        return nil if nil.equal?(context)
        unless Primitive.kind_of(context, SSLContext)
          raise ArgumentError, "servername_cb must return an OpenSSL::SSL::SSLContext object or nil"
        end
        context.setup
        @context = context
      end

      def __alpn_select(offered) = __select(@context.alpn_select_cb, offered)
      def __npn_select(offered) = __select(@context.npn_select_cb, offered)

      def __select(callback, offered)
        protocols = []
        until offered.empty?
          length = offered.getbyte(0)
          protocols << offered.byteslice(1, length)
          offered = offered.byteslice(1 + length, offered.bytesize)
        end
        selected = Asterism::Internal.to_str(callback.call(protocols))
        unless selected.bytesize.between?(1, 255)
          raise SSLError, "Selected protocol name must have length 1..255"
        end
        selected
      end

      def __npn_advertise = @context.__send__(:__npn_advertised)

      def __keylog(line) = @context.keylog_cb&.call(self, line)

      def __renegotiation = @context.renegotiation_cb&.call(self)

      # An exception means that there is no certificate.
      def __client_certificate
        certificate, key = *client_cert_cb&.call(self)
        return nil unless certificate
        @context.__send__(:__private, key)
        [certificate, key]
      rescue StandardError
        nil
      end

      def __temporary_dh(export, length) = @context.tmp_dh_callback&.call(self, export, length)

      def __session_get(id)
        session = session_get_cb&.call([self, id])
        session.instance_of?(Session) ? session : nil
      end

      def __session_new(handle) = session_new_cb&.call([self, OpenSSL.__send__(:__wrap, Session, handle)])

      def __session_removed(handle) = @context.__send__(:__session_removed, handle)
    end
  end
end
