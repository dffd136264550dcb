(import (scheme base) (faulty export))
(entry)
