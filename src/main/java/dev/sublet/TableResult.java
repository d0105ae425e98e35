package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.placement.problem.Placement;
import dev.sublet.plan.BufferTable;

/**
 * The offsets of a table of buffers. The table validator has accepted them.
 *
 * @param table the table
 * @param placement the offsets, by row
 * @param diagnostics warnings and notes, in order
 */
public record TableResult(
    BufferTable table, Placement placement, ImmutableList<Diagnostic> diagnostics) {

  public TableResult {
    requireNonNull(table, "table");
    requireNonNull(placement, "placement");
    requireNonNull(diagnostics, "diagnostics");
  }
}
