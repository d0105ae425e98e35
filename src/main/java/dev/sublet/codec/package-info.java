/**
 * Reads and writes the files of Sublet: programs and offset plans as protobuf binary, protobuf text
 * and JSON; plans in the forms of other tools ({@link dev.sublet.codec.plan.PlanFormat}); and the
 * messages of the plug-in ({@link dev.sublet.codec.request.PlanRequest}, {@link
 * dev.sublet.codec.request.PlanResponse}).
 *
 * <p>A reader turns bytes into a {@link dev.sublet.program.Program}, a {@link
 * dev.sublet.plan.MemoryPlan} or a {@link dev.sublet.plan.BufferTable} (CSV). If the bytes are
 * wrong, it throws a {@link dev.sublet.diag.ProgramException}, whose single line states the error
 * and its place. A reader finds the form of an input from the content, never from the file name; a
 * writer takes the form of an output from the file name. Only {@code codec}, {@code program} and
 * {@code onnx} use the generated protobuf classes.
 *
 * <p>Invariant: a binary file that {@link dev.sublet.codec.program.ProgramReader} has read is
 * written back byte for byte by {@link dev.sublet.codec.program.ProgramWriter}, including unknown
 * fields and names that are not UTF-8. The text forms cannot represent these; a warning reports the
 * loss.
 *
 * <p>Source: {@code framework.proto} of Paddle 0.11 to 3.x; the protobuf encoding, text format and
 * JSON mapping; {@code proto/plan.proto} for plans, {@code proto/plugin.proto} for requests; the
 * CSV of MiniMalloc for tables of buffers.
 */
@NullMarked
package dev.sublet.codec;

import org.jspecify.annotations.NullMarked;
