/** Catalog entries and shape rules for sequences (LoD), decoders, and rank tables. */
@NullMarked
package dev.sublet.operator.paddle.sequence;

import org.jspecify.annotations.NullMarked;
