# frozen_string_literal: true
# shareable_constant_value: literal

# HTTP/1.1 as a server speaks it, apart from reading and writing: a Connection is fed with bytes as they come, and has text to send
# then. Several requests may come at once, a request in any number of pieces.
require_relative "app"

class Connection
  MOST_HEAD = 16 * 1024
  MOST_BODY = 1024 * 1024
  TOKEN = /\A[!#$%&'*+\-.^_`|~0-9A-Za-z]+\z/
  LENGTH = /\A\d+\z/
  CHUNK = /\A\h+/
  REASONS = {
    200 => "OK", 400 => "Bad Request", 404 => "Not Found", 405 => "Method Not Allowed", 413 => "Content Too Large",
    422 => "Unprocessable Content", 431 => "Request Header Fields Too Large", 500 => "Internal Server Error",
    501 => "Not Implemented", 505 => "HTTP Version Not Supported"
  }

  attr_reader :out

  def initialize
    @in = String.new(capacity: 4096)
    @out = String.new(capacity: 4096)
    @head = nil
    @date_at = 0
    @closing = false
  end

  # No more is to be read: when what there is to send is sent, the connection ends.
  def closing? = @closing

  def feed(bytes)
    @in << bytes
    until @closing
      break unless @head || take_head
      body = take_body or break
      request = @head
      @head = nil
      request.body = body
      answer(request)
    end
  rescue App::Failure => error
    @closing = true
    respond(error.status, App::TEXT_TYPE, "#{error.message}\n")
  end

  private

  # True if the head of a request is there.
  def take_head
    length = @in.index("\r\n\r\n")
    unless length
      raise App::Failure.new(431, "the head is too long") if @in.bytesize > MOST_HEAD
      return false
    end
    lines = @in.byteslice(0, length).split("\r\n")
    @in = @in.byteslice(length + 4, @in.bytesize)
    verb, target, version = lines.shift.to_s.split(" ", 3)
    raise App::Failure.new(400, "no request line") unless version && TOKEN.match?(verb)
    raise App::Failure.new(505, "HTTP/1.1 is spoken here") unless version == "HTTP/1.1" || version == "HTTP/1.0"
    path, query = target.split("?", 2)
    headers = parse_headers(lines)
    raise App::Failure.new(400, "no host") if version == "HTTP/1.1" && !headers.key?("host")
    @alive = version == "HTTP/1.1" ? headers["connection"] != "close" : headers["connection"] == "keep-alive"
    @chunked = headers.key?("transfer-encoding")
    raise App::Failure.new(501, "unknown transfer encoding") if @chunked && headers["transfer-encoding"] != "chunked"
    @length = content_length(headers["content-length"])
    @body = String.new if @chunked
    @out << "HTTP/1.1 100 Continue\r\n\r\n" if headers["expect"] == "100-continue"
    @head = App::Request.new(verb, path, query, headers)
    true
  end

  def parse_headers(lines)
    headers = {}
    lines.each do |line|
      colon = line.index(":") or raise App::Failure.new(400, "a header without a colon")
      name = line[0, colon]
      raise App::Failure.new(400, "a header without a name") unless TOKEN.match?(name)
      name = name.downcase
      value = line[colon + 1, line.size].strip
      headers[name] = headers.key?(name) ? "#{headers[name]}, #{value}" : value
    end
    headers
  end

  def content_length(text)
    return 0 unless text
    raise App::Failure.new(400, "a length is a number") unless LENGTH.match?(text)
    length = text.to_i
    raise App::Failure.new(413, "the body is too long") if length > MOST_BODY
    length
  end

  # The body, if all of it is there.
  def take_body
    return take_chunks if @chunked
    return "" if @length == 0
    return if @in.bytesize < @length
    body = @in.byteslice(0, @length)
    @in = @in.byteslice(@length, @in.bytesize)
    body
  end

  def take_chunks
    while (eol = @in.index("\r\n"))
      size = @in[CHUNK] or raise App::Failure.new(400, "a chunk without a size")
      size = size.hex
      raise App::Failure.new(413, "the body is too long") if @body.bytesize + size > MOST_BODY
      break if @in.bytesize < eol + size + 4
      @body << @in.byteslice(eol + 2, size)
      @in = @in.byteslice(eol + size + 4, @in.bytesize)
      return @body if size == 0
    end
    nil
  end

  def answer(request)
    @closing = !@alive
    type, body = App.call(request)
    respond(200, type, body)
  rescue App::Failure => error
    respond(error.status, App::TEXT_TYPE, "#{error.message}\n")
  rescue StandardError => error
    warn "#{request.verb} #{request.path}: #{error.full_message(highlight: false)}"
    respond(500, App::TEXT_TYPE, "internal error\n")
  end

  def respond(status, type, body)
    @out << "HTTP/1.1 " << status.to_s << " " << REASONS.fetch(status) << "\r\nDate: " << date <<
      "\r\nContent-Type: " << type << "\r\nContent-Length: " << body.bytesize.to_s <<
      (@closing ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n") << body
  end

  def date
    now = Process.clock_gettime(Process::CLOCK_REALTIME, :second)
    return @date if now == @date_at
    @date_at = now
    @date = Time.at(now).utc.strftime("%a, %d %b %Y %H:%M:%S GMT")
  end
end
