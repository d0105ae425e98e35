package dev.sublet.placement.search;

import java.util.Arrays;

/**
 * A search for a placement within given bytes that can be stopped and continued.
 *
 * <p>Buffers are placed in the order of their offsets, each at the lowest one that those before it
 * allow; every placement can be brought into that form. A node of the search is one buffer being
 * placed. What is left out:
 *
 * <ul>
 *   <li>a buffer whose lowest offset, or at the same offset whose rank, is below that of the buffer
 *       placed before: the order would be another one (canonical form). Not by rank where windows
 *       let another lie above that buffer at the same offset, for that cannot be exchanged;
 *   <li>a buffer at or above the end that another could have: that one would better be placed below
 *       (dominance). A buffer above an offset at which one is pinned;
 *   <li>the siblings of a buffer that raises no other: it is in nobody's way;
 *   <li>a buffer whose twin of lower index is not placed;
 *   <li>what {@link SearchState} and the heaviest section above the present offset show to lead
 *       nowhere.
 * </ul>
 *
 * <p>Where no unplaced buffer is live on both sides of a section's end, the two sides are pieces to
 * be solved one after the other; if one cannot be solved the search goes back behind the split. A
 * piece begins with a free choice of order.
 *
 * <p>Iterative: the stack of frames is a set of arrays. A frame is a piece and the buffers of it
 * that were tried first; its own pieces are what is left when one of them is placed. Time for a
 * node: O(buffers of its piece) and what {@link SearchState#place} takes. Memory O(depth × buffers
 * of a piece).
 *
 * <p>Source: MiniMalloc, ASPLOS 2023, section 5; the twins are SuperMalloc's. Ours: the weaker
 * condition for having no siblings, the early limit by pins and by the heaviest section.
 */
final class DepthFirstSearch {

  /** How far a search has come. */
  enum Outcome {
    /** It can be continued. */
    RUNNING,
    /** A placement is found. */
    FOUND,
    /** There is none. */
    EXHAUSTED,
    /** It needs more memory than it may have. */
    TOO_LARGE
  }

  /** The lists of all frames together may hold so many buffers: 16 MiB a search. */
  private static final int MAX_LIST = 1 << 22;

  /** So many looks at arrays cost as much as a node of a small problem. */
  private static final int WORK_PER_STEP = 2048;

  /** To begin costs so many looks for each buffer and for each section that it is live in. */
  private static final int BEGIN_WORK = 8;

  private final SearchModel model;
  private final SearchState state;

  /** The place of each buffer in the order of preference. */
  private final int[] ranks;

  /** The rank above which a buffer must be at the same offset behind the one of a rank. */
  private final int[] ranksBehind;

  // The frames. Frame 0 stands for the whole problem: nothing was tried in it.
  private int depth;
  private int[] frameFrom = new int[64];
  private int[] frameTo = new int[64];
  private int[] frameFirst = new int[64];
  private int[] frameLast = new int[64];

  /** Where lists of the frame's own pieces begin. */
  private int[] frameTop = new int[64];

  /** The highest offset at which a buffer may be tried. */
  private int[] frameLimit = new int[64];

  private int[] frameTriedOffset = new int[64];
  private int[] frameTriedRank = new int[64];
  private boolean[] frameIsLastTry = new boolean[64];

  /** Whether what was tried last cut the piece. */
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

  /** Buffers that are not placed, by rank, piece behind piece. */
  private int[] list;

  private long nodes;
  private long work;
  private Outcome outcome = Outcome.RUNNING;

  /**
   * A search that has not begun.
   *
   * @param order the buffers, the preferred ones first; twins in the order of their indices
   * @param arenaBytes no buffer may end above this
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

  /** How many nodes were visited. */
  long nodes() {
    return nodes;
  }

  /** How many steps were taken: a node is one, and one more for each 2048 looks at arrays. */
  long steps() {
    return nodes + (work + state.work()) / WORK_PER_STEP;
  }

  /** The offset of a buffer in units, once a placement is found. */
  int offset(int buffer) {
    return state.offset(buffer);
  }

  /** How often a section has shown that a partial placement leads nowhere. */
  int failures(int section) {
    return state.failures(section);
  }

  /**
   * Goes on for so many {@link #steps}. Deterministic: where it stops makes no difference to what
   * it finds.
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

  /** The highest offset of a buffer that leaves room for the heaviest section, not dominated. */
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

  /** The buffer of the top frame that comes next after the one tried last, or -1. */
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

  /** The top frame is solved, and so are those below it that had no other piece. */
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

  /** Takes back what the top frame tried last, and all that was placed after it. */
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

  /** Lists what is left of the top frame's piece, piece by piece. */
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
