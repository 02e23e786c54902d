# How options, control messages and addresses are shown; what names of UNIX sockets may be.
require "socket"

p Socket::Option.new(:UNIX, :SOCKET, :PEERCRED, [5, 6, 7].pack("iii")), Socket::Option.new(:INET, :SOCKET, :RCVTIMEO, [1, 500_000].pack("q2")) # => #<Socket::Option: UNIX SOCKET PEERCRED pid=5 euid=6 egid=7 (ucred)>
# => #<Socket::Option: INET SOCKET RCVTIMEO 1.500000sec>
p Socket::Option.new(:INET, :SOCKET, :TYPE, [1].pack("i")), Socket::Option.new(:INET, :SOCKET, :ERROR, [111].pack("i")), Socket::Option.new(:INET, :SOCKET, :TYPE, "abc") # => #<Socket::Option: INET SOCKET TYPE SOCK_STREAM>
# => #<Socket::Option: INET SOCKET ERROR Connection refused (111)>
# => #<Socket::Option: INET SOCKET TYPE "abc">
p Socket::Option.ipv4_multicast_ttl(3), Socket::Option.new(:INET, :IP, :TTL, [5].pack("i")), Socket::Option.new(:INET, :IP, :MULTICAST_IF, "\x7f\0\0\1"), Socket::Option.new(:INET, 0, 99, "abc") # => #<Socket::Option: INET IP MULTICAST_TTL 3>
# => #<Socket::Option: INET IP TTL "\x05\x00\x00\x00">
# => #<Socket::Option: INET IP MULTICAST_IF 127.0.0.1>
# => #<Socket::Option: INET IP optname:99 "abc">
data = ->(*args) { Socket::AncillaryData.new(*args) }
p data.(:UNIX, :SOCKET, :CREDENTIALS, [5, 6, 7].pack("iii")), data.(:UNIX, :SOCKET, :CREDENTIALS, "abc"), data.(:UNIX, :SOCKET, :RIGHTS, [5, 6].pack("ii")) # => #<Socket::AncillaryData: UNIX SOCKET CREDENTIALS pid=5 uid=6 gid=7 (ucred)>
# => #<Socket::AncillaryData: UNIX SOCKET CREDENTIALS "abc">
# => #<Socket::AncillaryData: UNIX SOCKET RIGHTS 5 6>
p data.(:INET, :SOCKET, :TIMESTAMP, [1_000_000_000, 5].pack("q2")).inspect[0, 54], data.(:INET, :SOCKET, :TIMESTAMPNS, [1, 5].pack("q2")).inspect[-12..] # => "#<Socket::AncillaryData: INET SOCKET TIMESTAMP 2001-09"
# => "1.000000005>"
p data.(:INET, :IP, :TTL, [5].pack("i")), data.(:INET, :IP, :PKTINFO, [99].pack("i") + "\x7f\0\0\1\x7f\0\0\2"), data.(:INET6, :IPV6, :PKTINFO, "\0" * 15 + "\1" + [99].pack("i")), data.(:UNIX, 5, 77, "abc") # => #<Socket::AncillaryData: INET IP TTL "\x05\x00\x00\x00">
# => #<Socket::AncillaryData: INET IP PKTINFO 127.0.0.2 ifindex:99 spec_dst:127.0.0.1>
# => #<Socket::AncillaryData: INET6 IPV6 PKTINFO ::1 ifindex:99>
# => #<Socket::AncillaryData: UNIX cmsg_level:5 cmsg_type:77 "abc">
p (UNIXServer.open("/tmp/none\0") rescue $!), (UNIXSocket.open("/tmp/none\0b") rescue $!) # => #<ArgumentError: path name contains null byte>
# => #<ArgumentError: path name contains null byte>
p (UDPSocket.new.send("\0" * 100_000, 0, "127.0.0.1", 7) rescue $!) # => #<Errno::EMSGSIZE: Message too long - sendto(2) for "127.0.0.1" port 7>
s = Socket.new(:UNIX, :STREAM)
s.bind(Addrinfo.unix(""))
p s.local_address.unix_path.size, Socket.sockaddr_un("").bytesize, Socket.unpack_sockaddr_un(Socket.sockaddr_un("\0ab")), Socket.unpack_sockaddr_un(Socket.sockaddr_un("/x")).encoding # => 6
# => 2
# => "\x00ab"
# => #<Encoding:BINARY (ASCII-8BIT)>
p Addrinfo.new(["AF_UNIX", "/a"]).socktype # => 1
