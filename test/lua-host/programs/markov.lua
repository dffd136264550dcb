-- Text that looks like its input: each word is one that followed the two before it.
local seed = 42
local function random(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n + 1
end
local source = {}
local parts = {"the", "a", "one"}
local things = {"reader", "writer", "tree", "stack", "frame", "line", "page"}
local deeds = {"reads", "finds", "keeps", "moves", "counts"}
for _ = 1, 2000 do
  source[#source + 1] = parts[random(#parts)] .. " " .. things[random(#things)] .. " " .. deeds[random(#deeds)] .. " " ..
    parts[random(#parts)] .. " " .. things[random(#things)] .. "."
end
local text = table.concat(source, " ")
local function learn(all)
  local after, a, b = {}, "", ""
  for word in all:gmatch("%S+") do
    local key = a .. " " .. b
    local list = after[key]
    if not list then list = {} after[key] = list end
    list[#list + 1] = word
    a, b = b, word
  end
  return after
end
local function tell(after, n)
  local a, b, out = "", "", {}
  for i = 1, n do
    local list = after[a .. " " .. b]
    if not list then a, b = "", "" list = after[" "] end
    out[i] = list[random(#list)]
    a, b = b, out[i]
  end
  return table.concat(out, " ")
end
local sum = 0
for _ = 1, tonumber(arg[1]) do sum = sum + #tell(learn(text), 5000) end
print(sum)
