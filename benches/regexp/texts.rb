# frozen_string_literal: true

# Long texts: log lines of 10 MB, and what scripts do with them.
require_relative "cases"

VERBS = %w[GET POST PUT DELETE].freeze
PAGES = %w[/ /index.html /users/42 /api/v1/items?page=3 /assets/app-5f2c.js /login /admin/settings].freeze
AGENTS = ["Mozilla/5.0 (X11; Linux x86_64)", "curl/7.88.1", "Googlebot/2.1 (+http://www.google.com/bot.html)"].freeze

def log(size)
  seed = 42
  pick = ->(n) { (seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff) / 65_536 % n }
  text = String.new(capacity: size + 200)
  until text.bytesize >= size
    text << "#{pick[256]}.#{pick[256]}.#{pick[256]}.#{pick[256]} - - [#{10 + pick[20]}/Oct/2024:#{10 + pick[14]}:" \
            "#{10 + pick[50]}:#{10 + pick[50]} +0000] \"#{VERBS[pick[4]]} #{PAGES[pick[7]]} HTTP/1.1\" " \
            "#{[200, 200, 200, 304, 404, 500][pick[6]]} #{pick[30_000]} \"-\" \"#{AGENTS[pick[3]]}\"\n"
  end
  text
end

LOG = log(10 << 20).freeze
PART = LOG.byteslice(0, 1 << 20).freeze

Cases.time("10 MB: scan addresses") { LOG.scan(/\d+\.\d+\.\d+\.\d+/).size }
Cases.time("10 MB: scan requests with groups") { LOG.scan(/"(GET|POST) (\S+) HTTP/).size }
Cases.time("10 MB: scan rare literal") { LOG.scan(/Googlebot/).size }
Cases.time("10 MB: scan status 500") { LOG.scan(/" 500 \d+/).size }
Cases.time("10 MB: scan words") { LOG.scan(/[A-Za-z]+/).size }
Cases.time("10 MB: scan case-insensitive") { LOG.scan(/mozilla/i).size }
Cases.time("10 MB: gsub addresses") { LOG.gsub(/\d+\.\d+\.\d+\.\d+/, "x.x.x.x").size }
Cases.time("10 MB: gsub groups") { LOG.gsub(/\[(\d+)\/(\w+)\/(\d+)/, '[\3-\2-\1').size }
Cases.time("10 MB: gsub block") { LOG.gsub(/users\/\d+/) { |s| s.upcase }.size }
Cases.time("10 MB: gsub String") { LOG.gsub("HTTP/1.1", "HTTP/2").size }
Cases.time("10 MB: gsub Hash") { LOG.gsub(/GET|POST/, "GET" => "get", "POST" => "post").size }
Cases.time("10 MB: count lines with grep") { LOG.each_line.grep(/ 404 /).size }
Cases.time("10 MB: parse each line") do
  sum = 0
  LOG.each_line { |line| sum += $3.to_i if line =~ /\A(\S+) .*?" (\d+) (\d+)/ }
  sum
end
Cases.time("1 MB: split at newlines") { PART.split(/\r?\n/).size }
Cases.time("1 MB: split at spaces") { PART.split(/\s+/).size }
Cases.time("1 MB: no match") { PART.match?(/foo\d+bar/) }
Cases.time("1 MB: gsub no match") { PART.gsub(/\t/, " ").size }
Cases.time("1 MB: gsub single characters") { PART.gsub(/[^\w\s]/, "_").size }
Cases.time("1 MB: backreference") { PART.scan(/(\w)\1\w*/).size }
Cases.time("1 MB: look-behind") { PART.scan(/(?<=GET )\S+/).size }
Cases.time("1 MB: lazy dot") { PART.scan(/\[.*?\]/).size }
Cases.time("1 MB: Unicode property") { PART.scan(/\p{Lu}\p{Ll}+/).size }
