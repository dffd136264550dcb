/* format.h: the instruction formats: operands, for whoever reads code (disassembler, liveness,
 * checker). */
#ifndef HONE_VM_FORMAT_H
#define HONE_VM_FORMAT_H

/* A row: FORMAT(NAME, words, "operands"), one letter an operand in order A B C, then words:
 *   d register written   u register read   i index or count   s signed immediate   j 16-bit jump
 * (in C) J 32-bit jump (in BC)   K constant number (in BC)   - not used W immediate word   G
 * Global*   P Prim*   D FrameDesc*   c Code* followed by B capture words   n plain number word */
#define VM_FORMATS(FORMAT)                                                                         \
    FORMAT(NONE, 1, "---")                                                                         \
    FORMAT(D_U, 1, "du-")                                                                          \
    FORMAT(U, 1, "u--")                                                                            \
    FORMAT(U_U, 1, "uu-")                                                                          \
    FORMAT(U_U_U, 1, "uuu")                                                                        \
    FORMAT(D_U_U, 1, "duu")                                                                        \
    FORMAT(D_U_IMM, 1, "dus")                                                                      \
    FORMAT(D_INDEX, 1, "di-")                                                                      \
    FORMAT(U_INDEX_U, 1, "uiu")                                                                    \
    FORMAT(D_WORD, 2, "d--W")                                                                      \
    FORMAT(D_CONST, 1, "dK")                                                                       \
    FORMAT(D_GLOBAL, 2, "d--G")                                                                    \
    FORMAT(U_GLOBAL, 2, "u--G")                                                                    \
    FORMAT(D_CLOSURE, 2, "di-c")                                                                   \
    FORMAT(JUMP, 1, "-J")                                                                          \
    FORMAT(LOOP, 1, "-J")                                                                          \
    FORMAT(U_JUMP, 1, "uJ")                                                                        \
    FORMAT(U_U_JUMP, 1, "uuj")                                                                     \
    FORMAT(U_IMM_JUMP, 1, "usj")                                                                   \
    FORMAT(U_WORD_JUMP, 2, "uJW")                                                                  \
    FORMAT(CALL, 2, "ii-D")                                                                        \
    FORMAT(CALLG, 3, "ii-DG")                                                                      \
    FORMAT(TAIL, 1, "ii-")                                                                         \
    FORMAT(TAILG, 2, "ii-G")                                                                       \
    FORMAT(PRIM, 2, "diiP")                                                                        \
    FORMAT(D_U_U_WORD, 2, "duun")                                                                  \
    FORMAT(U_U_U_WORD, 2, "uuun")

enum vm_format {
#define FORMAT(name, words, operands) FMT_##name,
    VM_FORMATS(FORMAT)
#undef FORMAT
};

#endif
