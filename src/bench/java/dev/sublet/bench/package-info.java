/**
 * JMH benchmarks of each stage over synthetic programs, and the programs themselves. Not part of
 * the jar and not run by the tests; the README has the command and the measured table.
 */
@NullMarked
package dev.sublet.bench;

import org.jspecify.annotations.NullMarked;
