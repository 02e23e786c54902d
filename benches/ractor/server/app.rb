# frozen_string_literal: true
# shareable_constant_value: literal

# What the benchmark's servers answer: a router, and handlers that build their JSON for each request. Everything here may be used
# from any Ractor.
require "json"

module App
  class Failure < StandardError
    attr_reader :status

    def initialize(status, message)
      super(message)
      @status = status
    end
  end

  Request = Struct.new(:verb, :path, :query, :headers, :body)

  JSON_TYPE = "application/json"
  TEXT_TYPE = "text/plain; charset=utf-8"
  COLOURS = %w[amber blue coral denim ebony]

  # Each handler gets the request and the variable parts of its path, and returns a type and a body.
  module Handlers
    def self.root(_request) = [TEXT_TYPE, "Hello from a Ractor\n"]

    def self.user(request, id)
      number = Integer(id, 10, exception: false) or raise Failure.new(400, "an id is a number")
      user = {
        "id" => number,
        "name" => "User #{number}",
        "email" => "user#{number}@example.org",
        "active" => number.odd?,
        "score" => number * 1.5,
        "colours" => COLOURS.rotate(number % COLOURS.size).first(3),
        "agent" => request.headers["user-agent"],
        "address" => { "street" => "#{number % 200} Long Lane", "city" => "Springfield", "zip" => (10_000 + number % 90_000).to_s }
      }
      [JSON_TYPE, JSON.generate(user)]
    end

    def self.search(request)
      query = App.parse_query(request.query)
      text = query.fetch("q") { raise Failure.new(400, "q is missing") }
      limit = query.fetch("limit", "10").to_i.clamp(1, 100)
      found = Array.new(limit) { |i| { "rank" => i + 1, "title" => "#{text} #{i}", "weight" => 1.0 / (i + 1) } }
      [JSON_TYPE, JSON.generate("query" => text, "count" => found.size, "found" => found)]
    end

    def self.order(request)
      order = JSON.parse(request.body)
      items = order.is_a?(Hash) && order["items"]
      raise Failure.new(422, "an order has items") unless items.is_a?(Array)
      total = items.sum { |item| item.fetch("price") * item.fetch("count") }
      lines = items.map { |item| { "name" => item["name"], "sum" => item["price"] * item["count"] } }
      [JSON_TYPE, JSON.generate("customer" => order["customer"], "lines" => lines, "total" => total)]
    rescue JSON::ParserError, KeyError => error
      raise Failure.new(400, error.message)
    end
  end

  # Path patterns as lists of segments; a Symbol stands for any one segment.
  ROUTES = [
    ["GET", [], :root],
    ["GET", ["users", :id], :user],
    ["GET", ["search"], :search],
    ["POST", ["orders"], :order]
  ]

  def self.call(request)
    segments = request.path.split("/").drop(1)
    known = false
    ROUTES.each do |verb, pattern, handler|
      parts = match(pattern, segments) or next
      known = true
      return Handlers.public_send(handler, request, *parts) if verb == request.verb
    end
    raise Failure.new(known ? 405 : 404, known ? "method not allowed" : "not found")
  end

  def self.match(pattern, segments)
    return unless pattern.size == segments.size
    parts = []
    pattern.each_with_index do |part, i|
      if part.is_a?(Symbol)
        parts << unescape(segments[i])
      elsif part != segments[i]
        return
      end
    end
    parts
  end

  def self.parse_query(text)
    (text || "").split("&").to_h do |pair|
      key, value = pair.split("=", 2)
      [unescape(key || ""), unescape(value || "")]
    end
  end

  def self.unescape(text)
    return text unless text.match?(/[%+]/)
    text.tr("+", " ").gsub(/%(\h\h)/) { $1.hex.chr }.force_encoding(Encoding::UTF_8)
  end
end
