/**
 * The plug-in: answers requests for plans, which arrive as messages, one after the other. Hosts in
 * other languages need neither a Java virtual machine of their own nor a process for each plan.
 *
 * <p>{@link dev.sublet.plugin.PluginServer} is the front door: it reads a stream of request frames
 * and writes a stream of response frames ({@code proto/plugin.proto}). {@link
 * dev.sublet.plugin.PlanService} answers one request by a call to {@link dev.sublet.Transpiler}.
 *
 * <p>Invariant: each request has exactly one response, in order, and no request influences the
 * response to another. Every failure, including a bug in Sublet or a lack of memory, is a response
 * too; only a broken frame ends the stream.
 */
@NullMarked
package dev.sublet.plugin;

import org.jspecify.annotations.NullMarked;
