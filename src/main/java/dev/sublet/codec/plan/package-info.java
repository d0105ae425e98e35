/**
 * Offset plans: Sublet's own message, and the forms of other tools.
 *
 * <p>{@link dev.sublet.codec.plan.PlanFormat} lists the forms: protobuf, JSON, CSV, C header,
 * TFLite Micro's offline allocation, and a trace for a viewer.
 */
@NullMarked
package dev.sublet.codec.plan;

import org.jspecify.annotations.NullMarked;
