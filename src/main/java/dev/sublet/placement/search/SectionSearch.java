package dev.sublet.placement.search;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.placement.search.DepthFirstSearch.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search for a placement within a given number of bytes that branches where the fewest buffers
 * can be placed next. It can be stopped and continued.
 *
 * <p>{@link DepthFirstSearch} places buffers in the order of their offsets, so an early mistake
 * shows only after everything beside it has been placed. This search places them in any order, from
 * the bottom up at each point of time. {@link SectionChoice} lists buffers of which one is placed
 * next, at its lowest offset. They are tried one after the other. A buffer that failed is
 * postponed: it lies on top of another unplaced buffer, which raises its lowest offset, and often
 * the choice that remains is smaller than before ({@link SectionState}).
 *
 * <p>It is strong if most bytes of the arena are used at most points of time: then each gap shows a
 * mistake at once. Perfect packings of several hundred buffers are often solved without any
 * mistake. It is weak where there is much room.
 *
 * <p>If no unplaced buffer is live on both sides of a point, the two sides are pieces, which are
 * solved one after the other. If one cannot be solved, the search goes back to before the split.
 * Unplaced buffers that failed are not tried again above the same offsets ({@link FailedStates}).
 *
 * <p>Complete: it finds a placement if there is one. Iterative; the stack contains a frame for each
 * decision that has alternatives. Memory O(frames × buffers). Not for problems with windows.
 *
 * <p>Source: the branching scheme of Giffler and Thompson (1960) for job shops, on the section with
 * the fewest candidates for each failure found there (Boussemart et al. 2004, "Boosting systematic
 * search by weighting constraints").
 */
final class SectionSearch {

  /** The maximum total number of buffers in all frames: 16 MiB. */
  private static final int MAX_LISTED = 1 << 22;

  /** The number of array accesses that cost as much as a node of a small problem. */
  private static final int WORK_PER_STEP = 2048;

  /** An undecided point of the search: a piece whose buffers are to be placed. */
  private static final class Frame {

    /** The unplaced buffers of the piece, ascending. */
    private int[] buffers;

    /** The state before anything in the piece was placed. */
    private final int mark;

    /** The state before the latest candidate was placed. */
    private int tryMark;

    /** The pieces into which the buffers are split; empty while they are one piece. */
    private List<int[]> pieces = List.of();

    private int nextPiece;

    /** The buffers of which one is placed next; empty before they are chosen. */
    private int[] candidates = new int[0];

    private int tried;

    /** The buffers and lowest offsets that fail if this frame fails. */
    private @Nullable ImmutableIntArray claim;

    private int[] lowest = new int[0];

    Frame(int[] buffers, int mark) {
      this.buffers = buffers;
      this.mark = mark;
    }
  }

  private final SearchModel model;
  private final SectionState state;
  private final SectionChoice choice;
  private final double[] weights;
  private final FailedStates failed;
  private final Deque<Frame> frames = new ArrayDeque<>();
  private final int[] crossings;
  private long listed;
  private long nodes;
  private long failures;
  private long work;
  private Outcome outcome = Outcome.RUNNING;

  /**
   * Creates a search that has not begun.
   *
   * @param order the buffers, the preferred ones first
   * @param arenaBytes the offset above which no buffer may end
   * @param weights by section: how often it has failed; the search adds to it
   * @param failed states that failed within at least as many bytes; the search adds to it
   */
  SectionSearch(
      SearchModel model, int[] order, long arenaBytes, double[] weights, FailedStates failed) {
    this.model = model;
    this.weights = weights;
    this.failed = failed;
    state = new SectionState(model, arenaBytes);
    int[] ranks = new int[model.count];
    int[] all = new int[model.count];
    for (int rank = 0; rank < order.length; rank++) {
      ranks[order[rank]] = rank;
      all[rank] = rank;
    }
    choice = new SectionChoice(model, state, ranks, weights);
    crossings = new int[model.sections + 1];
    if (state.begin()) {
      push(all);
    } else {
      outcome = Outcome.EXHAUSTED;
    }
  }

  /** The number of buffers that were placed by decision. */
  long nodes() {
    return nodes;
  }

  /**
   * The number of decisions that turned out wrong at once, and of states that had failed before.
   */
  long failures() {
    return failures;
  }

  /** The number of steps taken so far: one per node, and one per 2048 array accesses. */
  long steps() {
    return nodes + (work + state.work() + choice.work()) / WORK_PER_STEP;
  }

  /** The offset of a buffer in units, after a placement has been found. */
  int offset(int buffer) {
    return state.offset(buffer);
  }

  /**
   * Continues for the given number of {@link #steps}, or until the given total of failures.
   * Deterministic: the points at which the search stops make no difference to its result.
   */
  Outcome run(long maxSteps, long maxFailures) {
    long end = steps() + maxSteps;
    while (outcome == Outcome.RUNNING && steps() < end && failures < maxFailures) {
      Frame frame = frames.element();
      if (!frame.pieces.isEmpty()) {
        enterNextPiece(frame);
      } else if (frame.candidates.length == 0) {
        expand(frame);
      } else {
        tryCandidate(frame);
      }
    }
    return outcome;
  }

  private void push(int[] buffers) {
    listed += buffers.length;
    frames.push(new Frame(buffers, state.mark()));
    if (listed > MAX_LISTED || state.isTooLong()) {
      outcome = Outcome.TOO_LARGE;
    }
  }

  private void enterNextPiece(Frame frame) {
    if (frame.nextPiece == frame.pieces.size()) {
      solved();
    } else {
      push(frame.pieces.get(frame.nextPiece++));
    }
  }

  /** Places the buffers of a frame that are free; then splits the rest, or chooses candidates. */
  private void expand(Frame frame) {
    if (!state.placeFree()) {
      fail(state.failedSection());
      return;
    }
    listed -= frame.buffers.length;
    frame.buffers = unplaced(frame.buffers);
    listed += frame.buffers.length;
    if (frame.buffers.length == 0) {
      solved();
      return;
    }
    List<int[]> pieces = split(frame.buffers);
    if (pieces.size() > 1) {
      frame.pieces = pieces;
      return;
    }
    if (frame.claim == null && hasFailedBefore(frame)) {
      fail(-1);
      return;
    }
    frame.candidates = choice.choose(frame.buffers, first(frame.buffers), last(frame.buffers));
    frame.tried = 0;
    if (frame.candidates.length == 0) {
      fail(choice.failedSection());
    }
  }

  private boolean hasFailedBefore(Frame frame) {
    ImmutableIntArray claim = ImmutableIntArray.copyOf(frame.buffers);
    int[] lowest = new int[frame.buffers.length];
    for (int i = 0; i < lowest.length; i++) {
      lowest[i] = state.lowest(frame.buffers[i]);
    }
    work += 4L * lowest.length;
    if (failed.contains(claim, lowest)) {
      return true;
    }
    frame.claim = claim;
    frame.lowest = lowest;
    return false;
  }

  private void tryCandidate(Frame frame) {
    int buffer = frame.candidates[frame.tried];
    frame.tryMark = state.mark();
    nodes++;
    if (!state.place(buffer)) {
      noteFailure(state.failedSection());
      if (!tryAnother(frame)) {
        giveUp();
      }
    } else if (frame.candidates.length == 1) {
      frame.candidates = new int[0]; // there is no alternative, so no frame is needed
    } else {
      push(unplaced(frame.buffers));
    }
  }

  /** Takes back the latest candidate of a frame. Returns whether the frame has another choice. */
  private boolean tryAnother(Frame frame) {
    if (!frame.pieces.isEmpty()) {
      return false;
    }
    state.undo(frame.tryMark);
    int buffer = frame.candidates[frame.tried];
    int onTop = state.lowestOnTop(buffer);
    if (onTop <= state.lowest(buffer)) {
      // It may still lie at this offset, with another buffer below it.
      frame.tried++;
      return frame.tried < frame.candidates.length;
    }
    frame.candidates = new int[0];
    if (state.postpone(buffer, onTop)) {
      return true;
    }
    noteFailure(state.failedSection());
    return false;
  }

  private void fail(int section) {
    noteFailure(section);
    giveUp();
  }

  private void noteFailure(int section) {
    failures++;
    if (section >= 0) {
      weights[section]++;
    }
  }

  /** Pops the top frame, which has failed, and the frames below it that have no other choice. */
  private void giveUp() {
    do {
      Frame frame = frames.pop();
      listed -= frame.buffers.length;
      state.undo(frame.mark);
      if (frame.claim != null) {
        failed.add(frame.claim, frame.lowest);
      }
    } while (!frames.isEmpty() && !tryAnother(frames.element()));
    if (frames.isEmpty()) {
      outcome = Outcome.EXHAUSTED;
    }
  }

  /** Pops the top frame, which is solved, and the frames below it that have no other piece left. */
  private void solved() {
    do {
      listed -= frames.pop().buffers.length;
    } while (!frames.isEmpty() && frames.element().nextPiece == frames.element().pieces.size());
    if (frames.isEmpty()) {
      outcome = Outcome.FOUND;
    }
  }

  private int[] unplaced(int[] buffers) {
    int[] left = new int[buffers.length];
    int next = 0;
    for (int b : buffers) {
      if (!state.isPlaced(b)) {
        left[next++] = b;
      }
    }
    work += buffers.length;
    return Arrays.copyOf(left, next);
  }

  private int first(int[] buffers) {
    int first = Integer.MAX_VALUE;
    for (int b : buffers) {
      first = Math.min(first, model.first(b));
    }
    return first;
  }

  private int last(int[] buffers) {
    int last = 0;
    for (int b : buffers) {
      last = Math.max(last, model.last(b));
    }
    return last;
  }

  /** Returns the pieces of unplaced buffers, the small ones first. O(buffers and sections). */
  private List<int[]> split(int[] buffers) {
    int first = first(buffers);
    int last = last(buffers);
    Arrays.fill(crossings, first, last + 1, 0);
    for (int b : buffers) {
      crossings[model.first(b)]++;
      crossings[model.last(b)]--;
    }
    int pieces = 0;
    int crossing = 0;
    for (int s = first; s <= last; s++) {
      crossing += crossings[s];
      crossings[s] = pieces; // from now on the piece to which the section belongs
      pieces += crossing == 0 ? 1 : 0;
    }
    work += last - first + 3L * buffers.length;
    if (pieces == 1) {
      return List.of(buffers);
    }
    return sort(buffers, pieces);
  }

  private List<int[]> sort(int[] buffers, int pieces) {
    int[] sizes = new int[pieces];
    for (int b : buffers) {
      sizes[crossings[model.first(b)]]++;
    }
    int[][] lists = new int[pieces][];
    for (int piece = 0; piece < pieces; piece++) {
      lists[piece] = new int[sizes[piece]];
      sizes[piece] = 0;
    }
    for (int b : buffers) {
      int piece = crossings[model.first(b)];
      lists[piece][sizes[piece]++] = b;
    }
    List<int[]> result = new ArrayList<>();
    for (int[] list : lists) {
      if (list.length > 0) {
        result.add(list);
      }
    }
    result.sort(Comparator.comparingInt(list -> list.length));
    return result;
  }
}
