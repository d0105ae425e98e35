/**
 * Pictures of memory: what a program's variables need without a plan, and where the plan puts them.
 *
 * <p>In goes a plan, with or without its program, the plan of a rewritten program together with the
 * original, or a table of buffers with offsets. Out comes a {@link dev.sublet.picture.Picture}: a
 * time axis of operators, and two stages over it, before and after, each with its arenas, the boxes
 * in them, and the bytes that are live. {@link dev.sublet.picture.HtmlPicture}, {@link
 * dev.sublet.picture.SvgPicture} and {@link dev.sublet.picture.TerminalPicture} write it. The
 * page's style and script are resources beside this package.
 *
 * <p>Invariant: a picture shows, it decides nothing, and does not check the plan. Every name in it
 * can be printed. The same input gives the same bytes: no clock, no locale, no hash order.
 */
@NullMarked
package dev.sublet.picture;

import org.jspecify.annotations.NullMarked;
