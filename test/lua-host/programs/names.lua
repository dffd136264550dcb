-- Functions of every kind of name: global, field, method, local, upvalue, metamethod, iterator, none at all, called by a tail call.
local function burn(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end
local N = tonumber(arg[1])
function global_one() return burn(N) + 0 end
local M = {}
function M.field_one() return burn(N) + 0 end
function M:method_one() return burn(N) + 0 end
local vector = setmetatable({}, {
  __add = function() return burn(N) + 0 end,
  __index = function() return burn(N) + 0 end,
})
local function each() return function(_, i) if i < 1 then return i + 1, burn(N) end end, nil, 0 end
local function tail_called() return burn(N) + 0 end
local function tail_caller() return tail_called() end
local sorted = {3, 1, 2}
for _ = 1, 20 do
  global_one() M.field_one() M:method_one()
  local _ = vector + 1, vector.x
  for _ in each() do end
  tail_caller()
  ;(function() return burn(N) + 0 end)()
  table.sort(sorted, function(a, b) burn(N // 4) return a < b end)
end
load("local burn, N = ... for _ = 1, 20 do burn(N) end", "=(chunk)")(burn, N)
print("done")
