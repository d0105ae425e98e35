package dev.sublet.testing.simulate;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Operation;

/** Where the values of variables are during a simulated run. */
interface Memory {

  /**
   * Bytes that an operator copies from an input to an output.
   *
   * @param source the input
   * @param point where it is read
   * @param offset how far behind the input's first byte the output's first byte would be if they
   *     were at the same place
   * @param bytes how many bytes, from the later one's first byte on
   */
  record Copy(Cell source, int point, long offset, long bytes) {}

  /** The value that an instance has at a program point. */
  long read(Cell cell, int point);

  /**
   * The value that an instance has between two nodes, which is at the one point or, if it has no
   * place there, at the other.
   */
  default long read(Cell cell, int point, int otherPoint) {
    return read(cell, covers(cell, point) ? point : otherPoint);
  }

  /** Gives an instance a value. */
  default void write(Cell cell, int point, long value) {
    write(cell, point, value, ImmutableList.of());
  }

  /** Gives an instance a value parts of which are copied; what is there already stays untouched. */
  void write(Cell cell, int point, long value, ImmutableList<Copy> copies);

  /** Whether the instance has a place at the point. */
  boolean covers(Cell cell, int point);

  /** Whether writing the first at its point damages the second as it is at its point. */
  boolean damages(
      Cell written, int writePoint, ImmutableList<Copy> copies, Cell read, int readPoint);

  /** Whether the two have exactly the same place. */
  boolean coincide(Cell written, int writePoint, Cell read, int readPoint);

  /** The loop with a body block begins, or goes on, with so many iterations completed. */
  default void iterations(int block, int count) {}

  /** Whether an operator need not run. */
  default boolean skips(Operation operation) {
    return false;
  }
}
