/**
 * The front door of the library.
 *
 * <p>{@link dev.sublet.Transpiler} takes a program and {@link dev.sublet.TranspileOptions} and
 * returns a {@link dev.sublet.TranspileResult}: the program with shared names, and the plan of its
 * arenas. It also plans a program without rewriting it. {@link dev.sublet.ScheduledModel} plans an
 * ONNX model in an order that needs less memory. {@link dev.sublet.TablePlans} plans tables of
 * buffers, {@link dev.sublet.Verifier} checks programs and plans of any origin, and {@link
 * dev.sublet.Explanation} gives the reasons for a result. {@link dev.sublet.codec} reads and writes
 * the files.
 *
 * <p>Invariant: the validators of {@link dev.sublet.verify} have accepted every result. Bad input
 * throws a {@link dev.sublet.diag.ProgramException}; any other exception is a bug of Sublet.
 */
@NullMarked
package dev.sublet;

import org.jspecify.annotations.NullMarked;
