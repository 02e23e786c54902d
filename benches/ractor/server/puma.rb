# The benchmark's application for a cluster of Puma: puma -C puma.rb, with PORT and WORKERS in the environment.
require_relative "app"

bind "tcp://127.0.0.1:#{ENV.fetch("PORT", "8080")}"
workers Integer(ENV.fetch("WORKERS", "2"))
threads(*Array.new(2) { Integer(ENV.fetch("THREADS", "3")) })
preload_app!
quiet

app do |env|
  headers = { "user-agent" => env["HTTP_USER_AGENT"] }
  request = App::Request.new(env["REQUEST_METHOD"], env["PATH_INFO"], env["QUERY_STRING"], headers, env["rack.input"].read)
  begin
    type, body = App.call(request)
    [200, { "content-type" => type }, [body]]
  rescue App::Failure => error
    [error.status, { "content-type" => App::TEXT_TYPE }, ["#{error.message}\n"]]
  end
end
