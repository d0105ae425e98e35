/** Recurrent layers: LSTM, GRU and their cells: entries and rules. */
@NullMarked
package dev.sublet.operator.paddle.recurrent;

import org.jspecify.annotations.NullMarked;
