/**
 * The analyses of one program, made once and passed whole to every stage.
 *
 * <p>In go a program and {@link dev.sublet.analysis.AnalysisOptions}; out come {@link
 * dev.sublet.analysis.ProgramFacts}: sizes, sequence information, memory spaces and liveness.
 *
 * <p>Invariant: the facts belong together. They were derived from one program with one set of
 * options, and nothing changes them; a stage that rewrites the program gets new facts.
 */
@NullMarked
package dev.sublet.analysis;

import org.jspecify.annotations.NullMarked;
