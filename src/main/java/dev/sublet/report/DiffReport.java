package dev.sublet.report;

import dev.sublet.report.format.LongLists;

/** The differences between two things of one kind, one per line; {@code same} if there are none. */
interface DiffReport extends Report {

  /** The lines of the differences, by kind of difference. */
  LongLists lines();

  @Override
  default String text() {
    return lines().text();
  }

  @Override
  default String details() {
    return lines().rest();
  }
}
