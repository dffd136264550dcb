-- A producer that works three times as long for an item as its consumer, through coroutine.wrap; then one that a
-- filter between them resumes, through coroutine.create and resume.
local function work(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end
local function produce(n) for i = 1, n do work(6000) coroutine.yield(i) end end
local function consume(source) local t = 0 for v in source do work(2000) t = t + v end return t end
local made = coroutine.create(produce)
local function filter(n)
  coroutine.resume(made, n)
  for i = 1, n - 1 do
    local ok, v = coroutine.resume(made)
    assert(ok)
    work(2000)
    coroutine.yield(v)
  end
end
local n = tonumber(arg[1])
print(consume(coroutine.wrap(function() produce(n) end)))
print(consume(coroutine.wrap(function() filter(n) end)))
