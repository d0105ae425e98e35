/** Catalog entries and shape rules for recurrent layers, LSTM and GRU, and their cells. */
@NullMarked
package dev.sublet.operator.paddle.recurrent;

import org.jspecify.annotations.NullMarked;
