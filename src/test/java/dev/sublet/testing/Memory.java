package dev.sublet.testing;

/** Where the values of variables are during a simulated run. */
interface Memory {

  /** The value that an instance has at a program point. */
  long read(Cell cell, int point);

  /** Gives an instance a value. */
  void write(Cell cell, int point, long value);

  /** Whether the instance has a place at the point. */
  boolean covers(Cell cell, int point);

  /** Whether writing the first at its point damages the second as it is at its point. */
  boolean overlap(Cell written, int writePoint, Cell read, int readPoint);

  /** Whether the two have exactly the same place. */
  boolean coincide(Cell written, int writePoint, Cell read, int readPoint);
}
