/**
 * Pictures of memory: the bytes of a program's variables without a plan, and their offsets in a
 * plan.
 *
 * <p>The input is a plan with or without its program, the plan of a rewritten program together with
 * the original, two plans, or a table of buffers with offsets. The result is a {@link
 * dev.sublet.picture.Picture}: a time axis of operators, two stages over it, before and after, each
 * with arenas and the boxes in them, and the curve of live bytes. {@link
 * dev.sublet.picture.HtmlPicture}, {@link dev.sublet.picture.SvgPicture} and {@link
 * dev.sublet.picture.TerminalPicture} write a picture. The style and the script of the HTML page
 * are resource files of this package.
 *
 * <p>Invariant: a picture only shows a plan; it makes no decisions and does not validate the plan.
 * All names in it are printable. The same input gives the same bytes: the output depends on no
 * clock, locale or hash order.
 */
@NullMarked
package dev.sublet.picture;

import org.jspecify.annotations.NullMarked;
