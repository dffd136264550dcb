-- Reads and writes JSON, many times over.
local parse_value
local escapes = {b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/"}
local function skip_space(s, i) return s:find("[^ \t\r\n]", i) or #s + 1 end
local function parse_string(s, i)
  local parts, from = {}, i + 1
  while true do
    local at = s:find('["\\]', from)
    if not at then error("unfinished string at " .. i) end
    parts[#parts + 1] = s:sub(from, at - 1)
    if s:byte(at) == 34 then return table.concat(parts), at + 1 end
    local c = s:sub(at + 1, at + 1)
    if c == "u" then
      parts[#parts + 1] = utf8.char(tonumber(s:sub(at + 2, at + 5), 16))
      from = at + 6
    else
      parts[#parts + 1] = escapes[c] or error("bad escape at " .. at)
      from = at + 2
    end
  end
end
local function parse_array(s, i)
  local t = {}
  i = skip_space(s, i + 1)
  if s:byte(i) == 93 then return t, i + 1 end
  while true do
    t[#t + 1], i = parse_value(s, i)
    i = skip_space(s, i)
    if s:byte(i) == 93 then return t, i + 1 end
    if s:byte(i) ~= 44 then error("a comma is missing at " .. i) end
    i = i + 1
  end
end
local function parse_object(s, i)
  local t, k = {}, nil
  i = skip_space(s, i + 1)
  if s:byte(i) == 125 then return t, i + 1 end
  while true do
    k, i = parse_string(s, skip_space(s, i))
    i = skip_space(s, i)
    if s:byte(i) ~= 58 then error("a colon is missing at " .. i) end
    t[k], i = parse_value(s, i + 1)
    i = skip_space(s, i)
    if s:byte(i) == 125 then return t, i + 1 end
    if s:byte(i) ~= 44 then error("a comma is missing at " .. i) end
    i = i + 1
  end
end
local words = {["true"] = true, ["false"] = false}
function parse_value(s, i)
  i = skip_space(s, i)
  local c = s:byte(i)
  if c == 123 then return parse_object(s, i) end
  if c == 91 then return parse_array(s, i) end
  if c == 34 then return parse_string(s, i) end
  local word = s:match("^%a+", i)
  if word == "null" then return nil, i + 4 end
  if word then return words[word], i + #word end
  local number = s:match("^-?%d+%.?%d*[eE]?[+-]?%d*", i)
  return tonumber(number), i + #number
end
local function write(v, out)
  if type(v) == "table" then
    if #v > 0 or next(v) == nil then
      out[#out + 1] = "["
      for i, x in ipairs(v) do
        if i > 1 then out[#out + 1] = "," end
        write(x, out)
      end
      out[#out + 1] = "]"
    else
      local keys = {}
      for k in pairs(v) do keys[#keys + 1] = k end
      table.sort(keys)
      out[#out + 1] = "{"
      for i, k in ipairs(keys) do
        if i > 1 then out[#out + 1] = "," end
        write(k, out)
        out[#out + 1] = ":"
        write(v[k], out)
      end
      out[#out + 1] = "}"
    end
  elseif type(v) == "string" then
    out[#out + 1] = string.format("%q", v)
  else
    out[#out + 1] = tostring(v)
  end
end
local doc = '{"name": "caf\\u00e9", "sizes": [1, 2.5, -3e2, 40], "ok": true, "inner": {"list": [[], {}, "a\\tb", null]}}'
local all = "[" .. string.rep(doc .. ",", 99) .. doc .. "]"
local out
for _ = 1, tonumber(arg[1]) do
  out = {}
  write(parse_value(all, 1), out)
end
print(#table.concat(out))
