(import (scheme base) (faulty unbound))
(entry)
