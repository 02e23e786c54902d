-- Requests for wrk: the four routes by turns.
local order = '{"customer":"Ada","items":[{"name":"pen","price":2.5,"count":4},{"name":"ink","price":7,"count":1},{"name":"pad","price":3,"count":3}]}'
local json = { ["Content-Type"] = "application/json" }
local next_one = 0

function request()
  next_one = next_one + 1
  local kind = next_one % 4
  if kind == 0 then return wrk.format("POST", "/orders", json, order) end
  if kind == 1 then return wrk.format("GET", "/users/" .. next_one) end
  if kind == 2 then return wrk.format("GET", "/search?q=a+word&limit=5") end
  return wrk.format("GET", "/")
end
