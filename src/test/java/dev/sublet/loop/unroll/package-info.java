/** Tests of programs with repeated bodies: every form of a loop computes the same bits. */
@NullMarked
package dev.sublet.loop.unroll;

import org.jspecify.annotations.NullMarked;
