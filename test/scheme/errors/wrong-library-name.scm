(import (scheme base) (faulty misnamed))
(entry)
