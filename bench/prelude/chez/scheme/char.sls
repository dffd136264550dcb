(library (scheme char)
  (export char-alphabetic? char-ci=? char-downcase char-foldcase char-lower-case? char-numeric? char-upcase char-upper-case? char-whitespace? string-ci=? string-downcase string-upcase)
  (import (chezscheme)))
