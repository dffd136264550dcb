(export declared-add1 (rename inner renamed-out))
(import (scheme base))
