(import (scheme base))
(raise (list 'code 42 "text"))
