package dev.sublet.schedule;

import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search for an order of the operators of one segment with a smaller peak: dynamic programming
 * over the sets of operators that have run, one operator per step.
 *
 * <p>If a step has more sets than the width, only the best ones are kept, and the result need not
 * be the best order. An operator runs at once if it frees at least as many bytes as it adds, and
 * raises no peak above the floor. Waiting would gain nothing.
 *
 * <p>O(operators × width × (ready operators × arguments + operators / 64)).
 */
final class SegmentSearch {

  private final OperatorGraph graph;
  private final BytesInUse bytes;
  private final int begin;
  private final int end;
  private final long floor;
  private final int width;
  private boolean isComplete = true;
  private long tried;

  /** What is kept of a step: how each of its states is reached. */
  private record Trace(ImmutableIntArray parents, ImmutableIntArray operators) {}

  /**
   * Creates a search.
   *
   * @param begin the first operator of the segment
   * @param end the first operator after the segment
   * @param floor a peak that does no harm: every order of the graph has at least this peak
   * @param width the greatest number of sets per step
   */
  SegmentSearch(OperatorGraph graph, int begin, int end, long floor, int width) {
    this.graph = graph;
    this.bytes = new BytesInUse(graph);
    this.begin = begin;
    this.end = end;
    this.floor = floor;
    this.width = width;
  }

  /** Whether the last search has looked at all orders that can be better. */
  boolean isComplete() {
    return isComplete;
  }

  /** The number of operators that the search has tried after a set of others. */
  long tried() {
    return tried;
  }

  /**
   * Returns an order with a peak below the bound; null if none was found.
   *
   * @param liveBefore the bytes that are live before the segment
   */
  @Nullable ScheduledOrder search(long liveBefore, long bound) {
    isComplete = true;
    List<Trace> steps = new ArrayList<>();
    OperatorStates states = OperatorStates.start(graph, begin, end, liveBefore);
    for (int i = begin; i < end; i++) {
      OperatorStates next = step(states, bound);
      if (next.size() > width) {
        isComplete = false;
        next = next.best(width);
      }
      if (next.size() == 0) {
        return null;
      }
      steps.add(new Trace(next.parents(), next.operators()));
      states = next;
    }
    return new ScheduledOrder(order(steps), states.peak(0), isComplete);
  }

  private OperatorStates step(OperatorStates states, long bound) {
    OperatorStates next = states.next();
    for (int i = 0; i < states.size(); i++) {
      int state = i;
      BytesInUse.OperatorSet run = operator -> states.hasRun(state, operator);
      int harmless = firstHarmless(states, i, run);
      int from = harmless < 0 ? begin : harmless;
      for (int each = states.nextReady(i, from); each >= 0; each = states.nextReady(i, each + 1)) {
        tried++;
        long peak = states.live(i) + bytes.addedWhileRunning(each, run);
        if (peak < bound) {
          long live = states.live(i) + bytes.change(each, run);
          next.add(states, i, each, live, Math.max(peak, states.peak(i)));
        }
        if (each == harmless) {
          break;
        }
      }
    }
    return next;
  }

  /** The first ready operator that can run now without any loss; -1 if there is none. */
  private int firstHarmless(OperatorStates states, int state, BytesInUse.OperatorSet run) {
    long limit = Math.max(floor, states.peak(state)) - states.live(state);
    for (int each = states.nextReady(state, begin);
        each >= 0;
        each = states.nextReady(state, each + 1)) {
      if (bytes.change(each, run) <= 0 && bytes.addedWhileRunning(each, run) <= limit) {
        return each;
      }
    }
    return -1;
  }

  private static ImmutableIntArray order(List<Trace> steps) {
    int[] order = new int[steps.size()];
    int state = 0;
    for (int i = steps.size() - 1; i >= 0; i--) {
      order[i] = steps.get(i).operators().get(state);
      state = steps.get(i).parents().get(state);
    }
    return ImmutableIntArray.copyOf(order);
  }
}
