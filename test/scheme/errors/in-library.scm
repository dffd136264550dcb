(import (scheme base) (faulty outer))
(+ 1 (outer-entry 7))
