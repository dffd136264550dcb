-- Errors through coroutines, pcall, xpcall and error objects; time after them still goes where it is spent.
local function burn(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end
local function fail(depth)
  if depth == 0 then burn(500) error({code = 7}) end
  return (fail(depth - 1))
end
local function in_coroutine() burn(500) coroutine.yield(1) error("in a coroutine") end
local function after() return burn(20000) end
local caught, n = 0, 0
for i = 1, tonumber(arg[1]) do
  local ok, e = pcall(fail, 20)
  if not ok and e.code == 7 then caught = caught + 1 end
  local co = coroutine.create(in_coroutine)
  coroutine.resume(co)
  ok, e = coroutine.resume(co)
  if not ok and e:find("in a coroutine", 1, true) then caught = caught + 1 end
  ok, e = pcall(coroutine.wrap(function() return fail(3) end))
  if not ok and e.code == 7 then caught = caught + 1 end
  ok, e = xpcall(function() return nil + 1 end, function(m) return "handled: " .. m end)
  if not ok and e:find("^handled: .*arithmetic on a nil value") then caught = caught + 1 end
  -- What a C function says of its arguments is what it says without the profiler.
  ok, e = pcall(string.rep)
  if e == "bad argument #1 to 'rep' (string expected, got no value)" then caught = caught + 1 end
  n = n + after()
end
print(caught, n)
error("at the end")
