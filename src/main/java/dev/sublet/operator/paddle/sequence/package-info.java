/** Operators on sequences (LoD), decoders, and rank tables: entries and rules. */
@NullMarked
package dev.sublet.operator.paddle.sequence;

import org.jspecify.annotations.NullMarked;
