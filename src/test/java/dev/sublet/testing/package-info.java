/**
 * What the specification and property tests of the whole project share.
 *
 * <p>{@link dev.sublet.testing.text.ProgramText} is a small language in which a test writes its
 * programs and reads results. {@link dev.sublet.testing.random.RandomPrograms} makes structured
 * programs from a seed: nested loops and branches, training pairs, names written again and again.
 * {@link dev.sublet.testing.simulate.Simulator} runs a program on hash values instead of tensors,
 * under Paddle's scope rules; a rewrite or a plan that changes any observed value is wrong.
 *
 * <p>Invariant: the simulator is an oracle, so it shares no code with what it judges. It takes
 * control flow from the program's operators and numbers the program points itself; it uses neither
 * the control-flow graph, nor liveness, nor the operator catalog. Everything is deterministic.
 *
 * <p>Source: Paddle's executors and control operators ({@code program-format} facts, section 4).
 */
@NullMarked
package dev.sublet.testing;

import org.jspecify.annotations.NullMarked;
