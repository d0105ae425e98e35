/**
 * A real Paddle Inference 2.3.2 as the judge of rewritten programs.
 *
 * <p>{@link dev.sublet.paddle.runtime.PaddleRuntime} runs a {@link dev.sublet.paddle.runtime.Model}
 * (program, parameters, feeds) in a process of its own and gives its outputs; {@link
 * dev.sublet.paddle.runtime.PaddleBatch} runs many in one process. Models come from {@link
 * dev.sublet.paddle.MadePrograms}, the project's own, and from {@link
 * dev.sublet.paddle.CorpusModels}, real ones. {@link dev.sublet.paddle.ObservedShapes} tells the
 * shape, type and sequences of everything that a model's operators wrote.
 *
 * <p>Invariant: a result depends on the model alone. Parameters and feeds are functions of names
 * and shapes, and each run has a predictor and scopes of its own. The {@link
 * dev.sublet.paddle.runtime.PaddleRuntime.Mode} states whether Paddle's graph passes ({@code
 * ir_optim}) and its own memory pass are on.
 */
@NullMarked
package dev.sublet.paddle;

import org.jspecify.annotations.NullMarked;
