/**
 * Types of option and argument values, each with the parser that the command line uses.
 *
 * <pre>
 *   --capacity 64KiB     ByteSize
 *   --shape x=1,3,8,8    FeedShape
 * </pre>
 */
@NullMarked
package dev.sublet.cli.argument;

import org.jspecify.annotations.NullMarked;
