(import (scheme base) (clash one) (clash two))
(+ 1 same-name)
