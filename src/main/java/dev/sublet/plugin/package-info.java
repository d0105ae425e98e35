/**
 * The plug-in: requests for plans as messages, answered one after the other, so that hosts in other
 * languages need neither a Java virtual machine of their own nor a process for each plan.
 *
 * <p>{@link dev.sublet.plugin.PluginServer} is the front door: a stream of frames in, a stream of
 * frames out ({@code proto/plugin.proto}). {@link dev.sublet.plugin.PlanService} answers one
 * request by a call of {@link dev.sublet.Transpiler}.
 *
 * <p>Invariant: each request has exactly one response, in order, and none of them changes what the
 * next one is answered. Whatever goes wrong with a request, a bug of ours or the end of the memory
 * included, is a response too; only a broken frame ends the stream.
 */
@NullMarked
package dev.sublet.plugin;

import org.jspecify.annotations.NullMarked;
