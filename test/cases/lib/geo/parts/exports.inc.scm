(export make-box area (rename sum-of-sides border))
(import (rename (geo parts math) (add plus)))
