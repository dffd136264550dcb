-- Alternating turns of Lua and of C: what the operating system's clock says of each is printed.
local function in_lua(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end
local function in_c(text) return #text:gsub("quick", "slow") end
local text = string.rep("the quick brown fox ", 400)
local lua, c, n = 0, 0, 0
for _ = 1, tonumber(arg[1]) do
  local t0 = os.clock()
  for _ = 1, 10 do n = n + in_lua(2000) end
  local t1 = os.clock()
  for _ = 1, 10 do n = n + in_c(text) end
  local t2 = os.clock()
  lua, c = lua + t1 - t0, c + t2 - t1
end
io.stderr:write(string.format("%.2f %.2f\n", 100 * lua / (lua + c), 100 * c / (lua + c)))
print(n)
