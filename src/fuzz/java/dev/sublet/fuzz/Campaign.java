package dev.sublet.fuzz;

import com.google.common.collect.ImmutableMap;
import java.util.List;

/** One kind of random cases. Used by several threads at a time. */
interface Campaign {

  /** What {@code -Dfuzz.only} calls it. */
  String name();

  /** Tries what follows from a seed, and gives what is wrong. */
  List<Fault> tryCase(long seed, Counts counts) throws Exception;

  /**
   * The smallest input found that shows the fault, as files by name, ready to be pinned.
   *
   * @param fault one that {@link #tryCase} gave
   */
  ImmutableMap<String, byte[]> minimized(Fault fault) throws Exception;
}
