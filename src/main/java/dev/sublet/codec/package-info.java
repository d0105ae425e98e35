/**
 * Files to values and back: programs and offset plans as protobuf binary, protobuf text and JSON;
 * plans in the forms of other tools ({@link dev.sublet.codec.plan.PlanFormat}); and the messages of
 * the plug-in ({@link dev.sublet.codec.request.PlanRequest}, {@link
 * dev.sublet.codec.request.PlanResponse}).
 *
 * <p>In go bytes; out comes a {@link dev.sublet.program.Program}, a {@link
 * dev.sublet.plan.MemoryPlan} or a {@link dev.sublet.plan.BufferTable} (CSV), or one {@link
 * dev.sublet.diag.ProgramException} line that says what is wrong and where. The form of an input is
 * found from its content, never from its name; the form of an output from its name. Together with
 * the program package this is all that sees generated protobuf classes.
 *
 * <p>Invariant: what {@link dev.sublet.codec.program.ProgramReader} reads from a binary file,
 * {@link dev.sublet.codec.program.ProgramWriter} writes byte for byte, unknown fields and names
 * that are not UTF-8 included. The text forms cannot carry these; what is lost is a warning.
 *
 * <p>Source: {@code framework.proto} of Paddle 0.11 to 3.x; the protobuf encoding, text format and
 * JSON mapping; {@code proto/plan.proto} for plans, {@code proto/plugin.proto} for requests; the
 * CSV of MiniMalloc for tables of buffers.
 */
@NullMarked
package dev.sublet.codec;

import org.jspecify.annotations.NullMarked;
