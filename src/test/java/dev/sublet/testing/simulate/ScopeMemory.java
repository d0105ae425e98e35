package dev.sublet.testing.simulate;

import com.google.common.collect.ImmutableList;

/** Each instance has a place of its own, as in a runtime without a plan. */
final class ScopeMemory implements Memory {

  @Override
  public long read(Cell cell, int point) {
    return cell.value;
  }

  @Override
  public void write(Cell cell, int point, long value, ImmutableList<Copy> copies) {
    cell.value = value;
  }

  @Override
  public boolean covers(Cell cell, int point) {
    return true;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // an instance is itself
  public boolean damages(
      Cell written, int writePoint, ImmutableList<Copy> copies, Cell read, int readPoint) {
    return written == read;
  }

  @Override
  public boolean coincide(Cell written, int writePoint, Cell read, int readPoint) {
    return damages(written, writePoint, ImmutableList.of(), read, readPoint);
  }
}
