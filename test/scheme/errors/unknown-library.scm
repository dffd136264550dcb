(import (scheme base)
        (no such library))
(display 1)
