(library (scheme cxr)
  (export caaar caadr cadar caddr cdaar cdadr cddar cdddr cadddr cddddr)
  (import (chezscheme)))
