-- Coroutines that end in every way: by errors through many of them, abandoned, closed, collected, resuming themselves or each other.
local function f(n) if n == 0 then error("bottom") end return coroutine.wrap(f)(n - 1) end
for i = 1, 1000 do
  pcall(f, i % 50)
  local c = coroutine.wrap(function() pcall(function() coroutine.yield(1) error("x") end) coroutine.yield(2) end)
  c() c() 
  local d = coroutine.create(function() local t <close> = setmetatable({}, {__close = function() for i=1,100 do end end}) coroutine.yield() end)
  coroutine.resume(d) coroutine.close(d)
  local e; e = coroutine.create(function() return coroutine.resume(e) end)
  assert(select(2, coroutine.resume(e)) == false)
  local a, b
  a = coroutine.create(function() coroutine.resume(b) for i=1,2000 do end end)
  b = coroutine.create(function() local ok, m = coroutine.resume(a) assert(not ok) for i=1,2000 do end coroutine.yield() end)
  coroutine.resume(a)
  setmetatable({}, {__gc = function() local s = 0 for i=1,3000 do s = s + i end; string.rep("x", 10) end})
  if i % 10 == 0 then collectgarbage() end
end
print(select(2, pcall(f, 300)):match("C stack overflow"))
local t = setmetatable({}, {__gc = function() for i=1,3000 do string.rep("x", 10) end end})
for w in string.gmatch("a b c", "%a") do for i=1,1000 do end end
print(#string.gsub("hello world", "%w+", function(w) return coroutine.wrap(function() for i=1,10000 do end return w:upper() end)() end))
