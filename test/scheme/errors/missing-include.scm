(import (scheme base))
(include "no-such-file.inc.scm")
