/** Operators on the sequences of a tensor (LoD). */
@NullMarked
package dev.sublet.runtime.kernel.sequence;

import org.jspecify.annotations.NullMarked;
