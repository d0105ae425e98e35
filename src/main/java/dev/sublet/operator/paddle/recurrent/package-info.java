/** Shape rules of recurrent layers: LSTM, GRU and their cells. */
@NullMarked
package dev.sublet.operator.paddle.recurrent;

import org.jspecify.annotations.NullMarked;
