/* disassemble.c: code as text, from the tables of instructions and formats. */
#include "rt/write.h"
#include "vm/vm.h"

static void print_operand(Mutator *m, base_buf *out, const Code *code, const Insn *pc, char kind,
                          unsigned field, const Insn **word) {
    uint32_t here = (uint32_t)(pc - code->insns);
    switch (kind) {
    case 'd':
    case 'u': base_buf_printf(out, " r%u", field); break;
    case 'i': base_buf_printf(out, " %u", field); break;
    case 's': base_buf_printf(out, " %d", (int16_t)field); break;
    case 'j': base_buf_printf(out, " ->%d", (int)here + (int16_t)field); break;
    case 'J': base_buf_printf(out, " ->%d", (int)here + insn_bc(*pc)); break;
    case 'K':
        base_buf_puts(out, " ");
        rt_write(m, out, code->constants[insn_bc(*pc)], RT_WRITE, 60);
        break;
    case 'W':
        base_buf_puts(out, " ");
        rt_write(m, out, *(*word)++, RT_WRITE, 60);
        break;
    case 'G': base_buf_printf(out, " %s", ((const Global *)*(*word)++)->name); break;
    case 'P': base_buf_printf(out, " %s", ((const Prim *)*(*word)++)->name); break;
    case 'D': (*word)++; break;
    case 'n': base_buf_printf(out, " #%llu", (unsigned long long)*(*word)++); break;
    case 'c': base_buf_printf(out, " code %s", ((const Code *)*(*word)++)->info->name); break;
    default: break;
    }
}

static void print_insn(Mutator *m, base_buf *out, const Code *code, const Insn *pc) {
    const InsnInfo *info = &vm_insns[insn_op(*pc)];
    unsigned fields[3] = {insn_a(*pc), insn_b(*pc), insn_c(*pc)};
    const Insn *word = pc + 1;
    base_buf_printf(out, "%6u  %-10s", (unsigned)(pc - code->insns), info->name);
    const char *operands = vm_formats[info->format].operands;
    for (int i = 0; operands[i]; i++)
        print_operand(m, out, code, pc, operands[i], i < 3 ? fields[i] : 0, &word);
    if (insn_op(*pc) == OP_CLOSURE)
        for (unsigned i = 0; i < insn_b(*pc); i++)
            base_buf_printf(out, word[i] >> 16 ? " free%u" : " r%u", (unsigned)(word[i] & 0xffff));
    base_buf_puts(out, "\n");
}

static void print_site(base_buf *out, const Site *site) {
    base_buf_puts(out, "        ;");
    for (const Site *s = site; s; s = s->caller)
        base_buf_printf(out, " %s:%u:%u%s", s->pos.file ? s->pos.file->path : "?", s->pos.line,
                        s->pos.column, s->caller ? " in" : "");
    base_buf_puts(out, "\n");
}

void vm_disassemble(Mutator *m, base_buf *out, const Code *code) {
    base_buf_printf(out, "%s: %d parameter%s%s, %u registers\n",
                    code->info->name[0] ? code->info->name : "(top level)", code->required,
                    code->required == 1 ? "" : "s", code->rest ? " and a rest" : "",
                    code->registers);
    const Site *site = NULL;
    for (const Insn *pc = code->insns; pc < code->insns + code->length; pc += vm_insn_words(pc)) {
        const Site *here = vm_site_at(code, pc);
        if (here != site) print_site(out, here);
        site = here;
        print_insn(m, out, code, pc);
    }
}
