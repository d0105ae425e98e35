/* Starts the program: vectors, floating-point unit, memory. */
#include <stdint.h>

extern uint32_t data_begin[], data_end[], data_in_flash[];
extern uint32_t bss_begin[], bss_end[], stack_begin[], stack_end[];

int main(void);
void stop(int code);
void reset(void);

static void fault(void) { stop(3); }

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_end, reset, fault, fault, fault, fault, fault};

void reset(void) {
  *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: access to the floating-point unit */
  __asm__ volatile("dsb\n isb");
  const uint32_t *from = data_in_flash;
  for (uint32_t *to = data_begin; to < data_end; to++) *to = *from++;
  for (uint32_t *to = bss_begin; to < bss_end; to++) *to = 0;
  /* A pattern shows later how much of the stack was used. */
  for (uint32_t *to = stack_begin; to + 16 < (uint32_t *)__builtin_frame_address(0); to++) {
    *to = 0xA5A5A5A5;
  }
  stop(main());
}
