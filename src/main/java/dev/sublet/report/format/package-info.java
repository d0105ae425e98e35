/**
 * The parts that reports have in common: JSON, tables, quantities with units, long lists, names.
 */
@NullMarked
package dev.sublet.report.format;

import org.jspecify.annotations.NullMarked;
