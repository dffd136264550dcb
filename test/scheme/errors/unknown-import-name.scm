(import (only (scheme base) car no-such-export))
(car '(1))
