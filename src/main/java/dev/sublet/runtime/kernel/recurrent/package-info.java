/** Recurrent layers: LSTM and GRU. */
@NullMarked
package dev.sublet.runtime.kernel.recurrent;

import org.jspecify.annotations.NullMarked;
