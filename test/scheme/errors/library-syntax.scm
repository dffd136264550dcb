(import (scheme base) (faulty syntax))
(entry)
