(import (scheme base) (cycle self))
(self-entry)
