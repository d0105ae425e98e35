/** Changes of programs, rewritings and plans that a validator must judge. */
@NullMarked
package dev.sublet.testing.mutate;

import org.jspecify.annotations.NullMarked;
