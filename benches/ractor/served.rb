# The server of server.rb with its clients in the same process, to the end of so many requests: for tools that want a program that
# ends, as `cargo xtask pgo` does.
#
# Usage: served.rb [REQUESTS]
require_relative "server"

ORDER = '{"customer":"Ada","items":[{"name":"pen","price":2.5,"count":4},{"name":"ink","price":7,"count":1}]}'

def request(number)
  case number % 4
  when 0 then "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: #{ORDER.size}\r\n\r\n#{ORDER}"
  when 1 then "GET /users/#{number} HTTP/1.1\r\nHost: localhost\r\n\r\n"
  when 2 then "GET /search?q=a+word&limit=5 HTTP/1.1\r\nHost: localhost\r\n\r\n"
  else "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
  end
end

count = Integer(ARGV[0] || 40_000)
listener = Server.listen(0)
Thread.new { Server::Events.new(listener).run }
clients = Array.new(16) { TCPSocket.new("127.0.0.1", listener.local_address.ip_port) }
answer = String.new(capacity: Server::AT_ONCE)
(0...count).each_slice(clients.size) do |numbers|
  numbers.zip(clients) { |number, client| client.write(request(number)) }
  clients.first(numbers.size).each do |client|
    client.readpartial(Server::AT_ONCE, answer)
    abort answer unless answer.start_with?("HTTP/1.1 200 ")
  end
end
