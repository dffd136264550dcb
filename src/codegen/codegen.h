/* codegen.h: the door of the bytecode generator: core to code objects of the VM. */
#ifndef HONE_CODEGEN_CODEGEN_H
#define HONE_CODEGEN_CODEGEN_H

#include "core/core.h"
#include "expand/expand.h"
#include "vm/vm.h"

/* A unit's body as a procedure of no arguments that runs its forms in order and returns the last
 * one's value. C->arena holds the nodes. Every LETREC binds lambdas that are never assigned (opt/
 * sees to it). */
Code *codegen_unit(CoreContext *c, const Unit *unit);

/* The chain of SITE as far as INFO, the procedure that the code is of. Where that procedure was
 * copied along with a body that was inlined, the chain goes on to the call that was inlined there;
 * but a closure's caller is in the frame below. CUTS: what was cut already, so that what had one
 * caller keeps one. */
const Site *codegen_cut_chain(base_map *cuts, const Site *site, const ProcInfo *info);

#endif
