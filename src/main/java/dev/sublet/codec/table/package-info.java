/**
 * Reads and writes buffers and plans as tables (CSV), one row per buffer.
 *
 * <p>Source: the CSV of MiniMalloc.
 */
@NullMarked
package dev.sublet.codec.table;

import org.jspecify.annotations.NullMarked;
