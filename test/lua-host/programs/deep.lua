-- Work at the bottom of a deep recursion.
local function burn(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end
local function descend(depth, n)
  if depth == 0 then return burn(n) end
  return 1 + descend(depth - 1, n)
end
local function root(depth, n) return 0 + descend(depth, n) end
print(root(tonumber(arg[1]), tonumber(arg[2])))
