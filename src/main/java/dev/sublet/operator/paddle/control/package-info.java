/**
 * Catalog entries and shape rules for control flow, tensor arrays, and communication between
 * devices.
 */
@NullMarked
package dev.sublet.operator.paddle.control;

import org.jspecify.annotations.NullMarked;
