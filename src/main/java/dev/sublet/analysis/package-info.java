/**
 * The analyses of one program, made once and passed to every stage as one object.
 *
 * <p>The input is a program with {@link dev.sublet.analysis.AnalysisOptions}; the output is {@link
 * dev.sublet.analysis.ProgramFacts}: sizes, sequence information, memory spaces and liveness.
 *
 * <p>Invariant: all facts of one object come from one program and one set of options, and they are
 * immutable. A stage that rewrites the program analyzes the new program again.
 */
@NullMarked
package dev.sublet.analysis;

import org.jspecify.annotations.NullMarked;
