package dev.sublet.placement.search;

import java.util.Arrays;

/**
 * A depth-first search for a placement within a given number of bytes. It can be stopped and
 * continued.
 *
 * <p>Buffers are placed in the order of their offsets, each at the lowest offset that the buffers
 * before it allow; every placement can be brought into this form. A node of the search is the
 * placing of one buffer. The search leaves out:
 *
 * <ul>
 *   <li>a buffer whose lowest offset is below that of the buffer placed before, or equal to it with
 *       a lower rank, because another order of the same buffers covers this case (canonical form).
 *       The rank is ignored where windows allow another buffer to lie above that one at the same
 *       offset, because two such buffers cannot be exchanged;
 *   <li>a buffer whose lowest offset is at or above the end that another buffer would have at its
 *       own lowest offset, because the other one can be placed below it (dominance), and a buffer
 *       above the offset of a pinned one;
 *   <li>the siblings of a buffer that raises no other buffer's lowest offset, because it is in no
 *       other buffer's way;
 *   <li>a buffer whose twin (an interchangeable buffer) of lower index is not placed;
 *   <li>partial placements that cannot be completed according to {@link SearchState} or to the
 *       heaviest section above the current offset.
 * </ul>
 *
 * <p>If no unplaced buffer is live on both sides of a section's end, the two sides are pieces,
 * which are solved one after the other. If a piece cannot be solved, the search goes back to before
 * the split. The canonical order starts anew in each piece.
 *
 * <p>Iterative: the stack of frames is a set of arrays. A frame is a piece together with the
 * choices already tried for its first buffer. The frame's own pieces are the remaining buffers once
 * such a choice is placed. A node takes O(buffers of its piece) plus the time of {@link
 * SearchState#place}. Memory O(depth × buffers of a piece).
 *
 * <p>Source: MiniMalloc, ASPLOS 2023, section 5; the twins are from SuperMalloc. Added here: the
 * weaker condition under which siblings are left out, and the early limits by pins and by the
 * heaviest section.
 */
final class DepthFirstSearch {

  /** The state of a search. */
  enum Outcome {
    /** The search can be continued. */
    RUNNING,
    /** The search has found a placement. */
    FOUND,
    /** There is no placement. */
    EXHAUSTED,
    /** The search needs more memory than it is allowed. */
    TOO_LARGE
  }

  /** The maximum total length of the lists of all frames: 16 MiB per search. */
  private static final int MAX_LIST = 1 << 22;

  /** The number of array accesses that cost as much as a node of a small problem. */
  private static final int WORK_PER_STEP = 2048;

  /**
   * The cost of starting a search, in array accesses per buffer and per section in which it is
   * live.
   */
  private static final int BEGIN_WORK = 8;

  private final SearchModel model;
  private final SearchState state;

  /** By buffer: its rank in the order of preference. */
  private final int[] ranks;

  /**
   * By rank of a buffer: the rank that the next buffer at the same offset must exceed; -1 if any
   * rank is allowed.
   */
  private final int[] ranksBehind;

  // The frames. Frame 0 stands for the whole problem: nothing was tried in it.
  private int depth;
  private int[] frameFrom = new int[64];
  private int[] frameTo = new int[64];
  private int[] frameFirst = new int[64];
  private int[] frameLast = new int[64];

  /** The positions in {@link #list} at which the lists of the frame's own pieces begin. */
  private int[] frameTop = new int[64];

  /** The highest offset at which a buffer may be tried. */
  private int[] frameLimit = new int[64];

  private int[] frameTriedOffset = new int[64];
  private int[] frameTriedRank = new int[64];
  private boolean[] frameIsLastTry = new boolean[64];

  /** Whether the buffer that was tried last cut the piece. */
  private boolean[] frameIsCut = new boolean[64];

  private int[] frameMark = new int[64];
  private int[] framePieces = new int[64];
  private int[] frameNextPiece = new int[64];
  private int[] framePieceEnd = new int[64];

  // The pieces of all frames: buffers list[from] to before list[to], sections first to last.
  private int[] pieceFrom = new int[64];
  private int[] pieceTo = new int[64];
  private int[] pieceFirst = new int[64];
  private int[] pieceLast = new int[64];
  private int pieces;
  private final int[] pieceOfSection;

  /** The buffers that are not placed, one piece after the other, each by rank. */
  private int[] list;

  private long nodes;
  private long work;
  private Outcome outcome = Outcome.RUNNING;

  /**
   * Creates a search that has not begun.
   *
   * @param order the buffers, the preferred ones first; twins in the order of their indices
   * @param arenaBytes the offset above which no buffer may end
   */
  DepthFirstSearch(SearchModel model, int[] order, long arenaBytes) {
    this.model = model;
    state = new SearchState(model, arenaBytes);
    ranks = new int[model.count];
    ranksBehind = new int[model.count];
    for (int rank = 0; rank < order.length; rank++) {
      ranks[order[rank]] = rank;
      ranksBehind[rank] = model.hasClearanceOfZero[order[rank]] ? -1 : rank;
    }
    pieceOfSection = new int[model.sections];
    list = Arrays.copyOf(order, 4 * model.count + 16);
    frameTo[0] = model.count;
    frameTop[0] = model.count;
    frameLast[0] = model.sections - 1;
    frameIsCut[0] = true;
    frameIsLastTry[0] = true;
    split(/* placed= */ -1);
    framePieceEnd[0] = pieces;
    work += BEGIN_WORK * (model.members.length + (long) model.count);
    if (state.isHopeless()) {
      outcome = Outcome.EXHAUSTED;
    }
  }

  /** The number of nodes visited so far. */
  long nodes() {
    return nodes;
  }

  /** The number of steps taken so far: one per node, and one per 2048 array accesses. */
  long steps() {
    return nodes + (work + state.work()) / WORK_PER_STEP;
  }

  /** The offset of a buffer in units, after a placement has been found. */
  int offset(int buffer) {
    return state.offset(buffer);
  }

  /** The number of times that a section showed that a partial placement cannot be completed. */
  int failures(int section) {
    return state.failures(section);
  }

  /**
   * Continues for the given number of {@link #steps}. Deterministic: the points at which the search
   * stops make no difference to its result.
   */
  Outcome run(long maxSteps) {
    long end = steps() + maxSteps;
    while (outcome == Outcome.RUNNING && steps() < end) {
      if (frameNextPiece[depth] < framePieceEnd[depth]) {
        enter(frameNextPiece[depth]++);
      } else {
        tryNext();
      }
    }
    return outcome;
  }

  private void enter(int piece) {
    int parent = depth++;
    if (depth == frameFrom.length) {
      growFrames();
    }
    frameFrom[depth] = pieceFrom[piece];
    frameTo[depth] = pieceTo[piece];
    frameFirst[depth] = pieceFirst[piece];
    frameLast[depth] = pieceLast[piece];
    frameTop[depth] = pieceTo[framePieceEnd[parent] - 1];
    frameTriedOffset[depth] = frameIsCut[parent] ? 0 : frameTriedOffset[parent];
    frameTriedRank[depth] = frameIsCut[parent] ? -1 : ranksBehind[frameTriedRank[parent]];
    frameIsLastTry[depth] = false;
    frameMark[depth] = state.mark();
    forgetPieces();
    frameLimit[depth] = limit(piece);
  }

  /**
   * Returns the highest offset that leaves room for the heaviest section of a piece and at which a
   * buffer is neither dominated nor above a pin.
   */
  private int limit(int piece) {
    int heaviest = 0;
    for (int s = pieceFirst[piece]; s <= pieceLast[piece]; s++) {
      heaviest = Math.max(heaviest, state.total(s));
    }
    int limit = state.capacity() - heaviest;
    for (int i = pieceFrom[piece]; i < pieceTo[piece]; i++) {
      int b = list[i];
      limit = Math.min(limit, state.lowest(b) + model.heights[b] - 1);
      if (model.pins[b] >= 0) {
        limit = Math.min(limit, model.pins[b]);
      }
    }
    work += pieceTo[piece] - pieceFrom[piece] + pieceLast[piece] - pieceFirst[piece];
    return limit;
  }

  private void tryNext() {
    int buffer = frameIsLastTry[depth] ? -1 : nextCandidate();
    if (buffer < 0) {
      fail();
      return;
    }
    frameTriedOffset[depth] = state.lowest(buffer);
    frameTriedRank[depth] = ranks[buffer];
    nodes++;
    work += frameTo[depth] - frameFrom[depth];
    if (!state.place(buffer)) {
      takeBack();
      return;
    }
    frameIsLastTry[depth] = !state.raisedAny();
    if (frameTo[depth] - frameFrom[depth] == 1) {
      solved();
    } else {
      listPieces(buffer);
    }
  }

  /** Returns the buffer of the top frame to try after the one tried last, or -1. */
  private int nextCandidate() {
    int triedOffset = frameTriedOffset[depth];
    int triedRank = frameTriedRank[depth];
    int best = -1;
    int bestOffset = frameLimit[depth] + 1;
    for (int i = frameFrom[depth]; i < frameTo[depth]; i++) {
      int b = list[i];
      int offset = state.lowest(b);
      if (offset < bestOffset
          && (offset > triedOffset || (offset == triedOffset && ranks[b] > triedRank))
          && (model.twins[b] < 0 || state.isPlaced(model.twins[b]))) {
        best = b;
        bestOffset = offset;
      }
    }
    return best;
  }

  /** Pops the top frame, which is solved, and the frames below it that have no other piece left. */
  private void solved() {
    do {
      pieces = framePieces[depth];
      depth--;
    } while (depth > 0 && frameNextPiece[depth] == framePieceEnd[depth]);
    if (depth == 0 && frameNextPiece[0] == framePieceEnd[0]) {
      outcome = Outcome.FOUND;
    }
  }

  private void fail() {
    if (depth <= 1) {
      outcome = Outcome.EXHAUSTED;
      return;
    }
    depth--;
    takeBack();
  }

  /** Undoes the placement that the top frame tried last, and all placements after it. */
  private void takeBack() {
    state.undo(frameMark[depth]);
    pieces = framePieces[depth];
    forgetPieces();
  }

  private void forgetPieces() {
    framePieces[depth] = pieces;
    frameNextPiece[depth] = pieces;
    framePieceEnd[depth] = pieces;
  }

  /** Lists the remaining buffers of the top frame's piece, piece by piece. */
  private void listPieces(int placed) {
    int from = frameFrom[depth];
    int to = frameTo[depth];
    int top = frameTop[depth];
    if (top + (to - from) > MAX_LIST || state.isTooLong()) {
      outcome = Outcome.TOO_LARGE;
      return;
    }
    if (top + (to - from) > list.length) {
      list = Arrays.copyOf(list, Math.min(MAX_LIST, 2 * list.length));
    }
    frameIsCut[depth] = isCut(placed);
    if (frameIsCut[depth]) {
      split(placed);
    } else {
      int next = top;
      for (int i = from; i < to; i++) {
        if (list[i] != placed) {
          list[next++] = list[i];
        }
      }
      addPiece(top, next, frameFirst[depth], frameLast[depth]);
    }
    framePieceEnd[depth] = pieces;
  }

  private boolean isCut(int placed) {
    int end = Math.min(frameLast[depth], model.last(placed));
    for (int s = Math.max(frameFirst[depth], model.first(placed)); s < end; s++) {
      if (!state.isCrossed(s)) {
        return true;
      }
    }
    return false;
  }

  /** Lists each side of the cuts as a piece. O(buffers and sections of the piece). */
  private void split(int placed) {
    int base = pieces;
    int begin = frameFirst[depth];
    for (int s = begin; s <= frameLast[depth]; s++) {
      pieceOfSection[s] = pieces;
      if (s == frameLast[depth] || !state.isCrossed(s)) {
        addPiece(0, 0, begin, s);
        begin = s + 1;
      }
    }
    for (int i = frameFrom[depth]; i < frameTo[depth]; i++) {
      if (list[i] != placed) {
        pieceTo[pieceOfSection[model.first(list[i])]]++;
      }
    }
    int next = frameTop[depth];
    for (int piece = base; piece < pieces; piece++) {
      int length = pieceTo[piece];
      pieceFrom[piece] = next;
      pieceTo[piece] = next;
      next += length;
    }
    for (int i = frameFrom[depth]; i < frameTo[depth]; i++) {
      if (list[i] != placed) {
        list[pieceTo[pieceOfSection[model.first(list[i])]]++] = list[i];
      }
    }
    dropEmptyPieces(base);
  }

  private void dropEmptyPieces(int base) {
    int kept = base;
    for (int piece = base; piece < pieces; piece++) {
      if (pieceFrom[piece] < pieceTo[piece]) {
        pieceFrom[kept] = pieceFrom[piece];
        pieceTo[kept] = pieceTo[piece];
        pieceFirst[kept] = pieceFirst[piece];
        pieceLast[kept++] = pieceLast[piece];
      }
    }
    pieces = kept;
  }

  private void addPiece(int from, int to, int first, int last) {
    if (pieces == pieceFrom.length) {
      pieceFrom = Arrays.copyOf(pieceFrom, 2 * pieces);
      pieceTo = Arrays.copyOf(pieceTo, 2 * pieces);
      pieceFirst = Arrays.copyOf(pieceFirst, 2 * pieces);
      pieceLast = Arrays.copyOf(pieceLast, 2 * pieces);
    }
    pieceFrom[pieces] = from;
    pieceTo[pieces] = to;
    pieceFirst[pieces] = first;
    pieceLast[pieces++] = last;
  }

  private void growFrames() {
    int size = 2 * depth;
    frameFrom = Arrays.copyOf(frameFrom, size);
    frameTo = Arrays.copyOf(frameTo, size);
    frameFirst = Arrays.copyOf(frameFirst, size);
    frameLast = Arrays.copyOf(frameLast, size);
    frameTop = Arrays.copyOf(frameTop, size);
    frameLimit = Arrays.copyOf(frameLimit, size);
    frameTriedOffset = Arrays.copyOf(frameTriedOffset, size);
    frameTriedRank = Arrays.copyOf(frameTriedRank, size);
    frameIsLastTry = Arrays.copyOf(frameIsLastTry, size);
    frameIsCut = Arrays.copyOf(frameIsCut, size);
    frameMark = Arrays.copyOf(frameMark, size);
    framePieces = Arrays.copyOf(framePieces, size);
    frameNextPiece = Arrays.copyOf(frameNextPiece, size);
    framePieceEnd = Arrays.copyOf(framePieceEnd, size);
  }
}
