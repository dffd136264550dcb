(import (scheme base) (cycle a))
(a-entry)
