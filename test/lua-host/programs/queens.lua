-- All ways to set n queens on a board of n by n.
local function free(board, row, column)
  for r = 1, row - 1 do
    local c = board[r]
    if c == column or c - r == column - row or c + r == column + row then return false end
  end
  return true
end
local function place(board, row, n)
  if row > n then return 1 end
  local count = 0
  for column = 1, n do
    if free(board, row, column) then
      board[row] = column
      count = count + place(board, row + 1, n)
    end
  end
  return count
end
local n = tonumber(arg[1])
print(place({}, 1, n))
