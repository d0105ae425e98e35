/**
 * Results as text for people and as JSON for programs.
 *
 * <p>In goes what a run has made: a {@link dev.sublet.TranspileResult}, a plan, what a validator
 * found, an analysis, the operator catalog. Out comes a {@link dev.sublet.report.Report}, which has
 * the same facts in both forms. Text is tables of two or more columns, bytes with their exact
 * number; JSON has snake_case keys in a fixed order, integers as numbers, and names as {@link
 * dev.sublet.program.Names#display} shows them.
 *
 * <p>Invariant: nothing is decided here, only counted, ordered and printed. The same result gives
 * the same text, byte for byte: no locale, no clock, no hash order.
 */
@NullMarked
package dev.sublet.report;

import org.jspecify.annotations.NullMarked;
