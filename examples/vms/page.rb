# A page about an address, made with the installed `csv` and `erb`.
require "csv"
require "erb"

class Page
  TEMPLATE = ERB.new(<<~HTML, trim_mode: "-")
    <html><head><title><%= ERB::Util.h(@code) %></title></head><body>
    <%- @count.times do |n| -%>
    <div id="a<%= n %>"><b><%= @code %></b> <%= ERB::Util.h(@place) %>, <%= ERB::Util.h(@city) %>, <%= @prefecture %></div>
    <%- end -%>
    </body></html>
  HTML
  TEMPLATE.def_method(self, "html")

  def initialize(line, count)
    _, _, @code, @prefecture, @city, @place = CSV.parse_line(line)
    @count = count
  end
end
