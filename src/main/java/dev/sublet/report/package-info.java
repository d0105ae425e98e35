/**
 * Formats results as text for people and as JSON for programs.
 *
 * <p>The input is the result of a run: a {@link dev.sublet.TranspileResult}, a plan, the result of
 * a validator, an analysis, the operator catalog. The output is a {@link dev.sublet.report.Report},
 * which contains the same facts in both forms. Text consists of tables of two or more columns, in
 * which bytes are exact numbers. JSON has snake_case keys in a fixed order, integers as numbers,
 * and names in the form of {@link dev.sublet.program.Names#display}.
 *
 * <p>Invariant: a report makes no decisions; it only counts, orders and prints. The same result
 * gives the same text, byte for byte: no locale, no clock, no hash order.
 */
@NullMarked
package dev.sublet.report;

import org.jspecify.annotations.NullMarked;
