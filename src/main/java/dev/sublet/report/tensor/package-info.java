/**
 * Reports about tensors: the results of programs and of micro programs.
 *
 * <p>The input is the results of a run; the output is text and JSON with types, shapes, first
 * values and checksums. Invariant: equal bits give equal reports.
 */
@NullMarked
package dev.sublet.report.tensor;

import org.jspecify.annotations.NullMarked;
