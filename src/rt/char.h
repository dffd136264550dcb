/* char.h: properties and case of characters (Unicode scalar values). Pure; any thread. */
#ifndef HONE_RT_CHAR_H
#define HONE_RT_CHAR_H

#include <stdbool.h>
#include <stdint.h>

bool rt_char_alphabetic(uint32_t c);
bool rt_char_whitespace(uint32_t c);
bool rt_char_numeric(uint32_t c);
uint32_t rt_char_upcase(uint32_t c);
uint32_t rt_char_downcase(uint32_t c);
uint32_t rt_char_foldcase(uint32_t c);

#endif
