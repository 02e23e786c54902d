# Requests as a web server has them, answered by several threads from half a gigabyte of sessions and cached pages: parsing,
# a look-up, a change of the session, a template, now and then a page that is cached anew.
# ARGV: megabytes alive, requests to each thread.

ALIVE = (ARGV[0] || 500).to_i
REQUESTS = (ARGV[1] || 20_000).to_i
THREADS = 2

Session = Struct.new(:id, :user, :visits, :cart, :seen)

# A session is about 400 bytes with what it refers to, a page 2,000.
SESSIONS = ALIVE * 1_000_000 * 4 / 5 / 400
PAGES = ALIVE * 1_000_000 / 5 / 2000

SHARDS = 64
sessions = Array.new(SHARDS) { {} }
SESSIONS.times do |i|
  sessions[i % SHARDS]["session-#{i}"] = Session.new(i, { "name" => "user #{i}" }, 0, [], "/start")
end
pages = Array.new(PAGES) { |i| ["/page/#{i}", "<p>#{'content ' * 200}</p>"] }

TEMPLATE = ->(request, session, body) do
  items = session.cart.map { |item| "<li>#{item[:name]} #{item[:price]}</li>" }
  "<html><h1>Hello #{session.user['name']}</h1><p>#{request[:path]}</p><ul>#{items.join}</ul>#{body.size}</html>"
end

parse = ->(text) do
  first, *rest = text.split("\r\n")
  verb, target, = first.split(" ")
  path, query = target.split("?")
  headers = rest.to_h { |line| line.split(": ", 2) }
  params = query.to_s.split("&").to_h { |pair| pair.split("=") }
  { verb: verb, path: path, params: params, headers: headers }
end

started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
counts = Array.new(THREADS) do |number|
  Thread.new do
    seed = number + 1
    served = 0
    while served < REQUESTS
      50.times do
        seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff
        # Each thread has shards of its own, as a server that routes by session has.
        id = seed % (SESSIONS / THREADS) * THREADS + number
        request = parse.call("GET /page/#{seed % PAGES}?a=1&b=#{served} HTTP/1.1\r\nHost: example.org\r\n" \
                             "Cookie: session-#{id}\r\nAccept: text/html\r\nUser-Agent: bench")
        session = sessions[id % SHARDS][request[:headers]["Cookie"]]
        session.visits += 1
        session.seen = request[:path]
        session.cart << { name: "thing #{served}", price: served % 100 }
        session.cart.shift if session.cart.size > 3
        page = pages[seed % PAGES]
        answer = TEMPLATE.call(request, session, page[1])
        page[1] = "<p>#{'content ' * 200}</p>" if served % 20 == 0 && seed % THREADS == number
        served += 1 if answer.end_with?("</html>")
      end
    end
    served
  end
end.map(&:value)
puts counts.all?(&:positive?) ? "served" : "stuck"
warn "requests a second  #{(counts.sum / (Process.clock_gettime(Process::CLOCK_MONOTONIC) - started)).round}"
