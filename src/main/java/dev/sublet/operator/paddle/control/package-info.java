/** Control flow, arrays of tensors, and communication between devices: entries and rules. */
@NullMarked
package dev.sublet.operator.paddle.control;

import org.jspecify.annotations.NullMarked;
