-- Three procedures that do the same, one part, two parts and five parts of the time.
local function one(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end
local function two(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end
local function five(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end
local total = 0
for _ = 1, tonumber(arg[1]) do
  total = total + one(10000) + two(20000) + five(50000)
end
print(total)
