package dev.sublet.placement.nnc;

import static com.google.common.base.Preconditions.checkState;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * NNC's allocation graph: which bytes pass from which tensor to which, from a source, the arena, to
 * a sink, the arena when all is over.
 *
 * <p>A node is an interval of a buffer, so that a hole of a buffer is an edge from its one interval
 * to its next, in which others may lie. An edge has bytes (its weight) and the offset at which they
 * begin; they are free from the end of its tail to the begin of its head. At every point the
 * intervals that are live and the edges that span it partition the arena. What flows into a node
 * flows out of it, and is what it occupies; what leaves the source is the arena.
 *
 * <p>Source: "The NNC Tensor Allocation Algorithm", Basic Structure and Insertion. There a node is
 * a tensor, and an edge has no offset (NNC's code has one); nodes that are intervals are ours.
 */
final class AllocationGraph {

  /** The node from which all bytes come. */
  static final int SOURCE = -1;

  /** The node to which all bytes go. */
  static final int SINK = -2;

  private static final int NONE = -1;

  private final int slots;
  private final int[] slotBegins;
  private final int[] slotEnds;
  private final SpanIndex index;

  private int edges;
  private int[] tails = new int[64];
  private int[] heads = new int[64];
  private long[] offsets = new long[64];
  private long[] bytes = new long[64];
  private long top;

  /** A graph without bytes and without nodes. */
  AllocationGraph(PlanningProblem problem) {
    int count = problem.intervalCount();
    int[] points = new int[2 * count];
    for (int i = 0; i < count; i++) {
      points[2 * i] = problem.begin(i);
      points[2 * i + 1] = problem.end(i);
    }
    points = Arrays.stream(points).sorted().distinct().toArray();
    slots = Math.max(1, points.length);
    slotBegins = new int[count];
    slotEnds = new int[count];
    for (int i = 0; i < count; i++) {
      slotBegins[i] = Arrays.binarySearch(points, problem.begin(i));
      slotEnds[i] = Arrays.binarySearch(points, problem.end(i));
    }
    index = new SpanIndex(slots);
  }

  /** The bytes of the arena: the weights of the source's edges. */
  long top() {
    return top;
  }

  /** Opens the bytes up to an offset: an edge from source to sink. */
  void growTo(long offset) {
    if (offset > top) {
      addEdge(SOURCE, SINK, top, offset - top);
      top = offset;
    }
  }

  /** How many edges there have been; those without bytes are no more. */
  int edgeCount() {
    return edges;
  }

  /** The node, or {@link #SOURCE}, from which an edge comes. */
  int tail(int edge) {
    return tails[edge];
  }

  /** The node, or {@link #SINK}, to which an edge goes. */
  int head(int edge) {
    return heads[edge];
  }

  /** The first of an edge's bytes. */
  long offset(int edge) {
    return offsets[edge];
  }

  /** The weight of an edge. */
  long bytes(int edge) {
    return bytes[edge];
  }

  /**
   * Finds the edges whose bytes are free from the begin of one interval to the end of another; how
   * many they are. O(log points + edges that are free at the begin).
   */
  int findEdges(int first, int last) {
    return index.collect(slotBegins[first], slotEnds[last]);
  }

  /** One of the edges that the latest {@link #findEdges} has found. */
  int found(int hit) {
    return index.found(hit);
  }

  /**
   * How long the bytes of an edge stay unused if the intervals from {@code first} to {@code last}
   * lie there, in slots between points at which something begins or ends. An end at the source or
   * the sink counts as all time, as in NNC's code: so an edge between two tensors comes first.
   */
  long slack(int edge, int first, int last) {
    long before = tails[edge] == SOURCE ? slots : slotBegins[first] - slotEnds[tails[edge]];
    long after = heads[edge] == SINK ? slots : slotBegins[heads[edge]] - slotEnds[last];
    return before + after;
  }

  /** The bytes that are free throughout an interval, adjacent edges together. */
  OffsetRanges freeBytes(int interval) {
    int count = findEdges(interval, interval);
    // The edges have no byte in common, so begins and ends may be sorted apart.
    long[] begins = new long[count];
    long[] ends = new long[count];
    for (int hit = 0; hit < count; hit++) {
      int edge = index.found(hit);
      begins[hit] = offsets[edge];
      ends[hit] = offsets[edge] + bytes[edge];
    }
    Arrays.sort(begins);
    Arrays.sort(ends);
    OffsetRanges free = new OffsetRanges();
    int first = 0;
    for (int i = 0; i < count; i++) {
      if (i + 1 == count || begins[i + 1] > ends[i]) {
        free.add(begins[first], ends[i] - 1);
        first = i + 1;
      }
    }
    return free;
  }

  /** How much has been read in order to find edges. */
  long visits() {
    return index.visits();
  }

  /**
   * Lets an interval occupy the bytes from an offset to another. Each edge that has some of them
   * gives them up: they go from its tail to the interval and from there to its head; the residues
   * below and above remain.
   *
   * @throws IllegalStateException if some of the bytes are not free
   */
  void insert(int node, long begin, long end) {
    int[] cut = cutEdges(node, begin, end);
    long position = begin;
    int in = NONE;
    int out = NONE;
    for (int edge : cut) {
      long first = Math.max(begin, offsets[edge]);
      long last = Math.min(end, offsets[edge] + bytes[edge]);
      checkState(first == position, "byte %s of interval %s is taken", position, node);
      in = extend(in, tails[edge], node, first, last - first);
      out = extend(out, node, heads[edge], first, last - first);
      giveUp(edge, first, last);
      position = last;
    }
    checkState(position == end, "byte %s of interval %s is taken", position, node);
  }

  /** The edges that have bytes of a region throughout an interval, by ascending offset. */
  private int[] cutEdges(int node, long begin, long end) {
    int count = findEdges(node, node);
    int[] cut = new int[4];
    int size = 0;
    for (int hit = 0; hit < count; hit++) {
      int edge = index.found(hit);
      if (offsets[edge] < end && begin < offsets[edge] + bytes[edge]) {
        if (size == cut.length) {
          cut = Arrays.copyOf(cut, 2 * size);
        }
        int place = size++;
        for (; place > 0 && offsets[cut[place - 1]] > offsets[edge]; place--) {
          cut[place] = cut[place - 1];
        }
        cut[place] = edge;
      }
    }
    return Arrays.copyOf(cut, size);
  }

  /** Lengthens the latest edge if it ends where this one begins, between the same nodes. */
  private int extend(int latest, int tail, int head, long offset, long weight) {
    if (latest != NONE
        && tails[latest] == tail
        && heads[latest] == head
        && offsets[latest] + bytes[latest] == offset) {
      bytes[latest] += weight;
      return latest;
    }
    return addEdge(tail, head, offset, weight);
  }

  /** Takes bytes out of an edge. What remains above them becomes an edge of its own. */
  private void giveUp(int edge, long first, long last) {
    long below = first - offsets[edge];
    long above = offsets[edge] + bytes[edge] - last;
    if (below > 0 && above > 0) {
      addEdge(tails[edge], heads[edge], last, above);
    }
    if (below > 0) {
      bytes[edge] = below;
    } else if (above > 0) {
      offsets[edge] = last;
      bytes[edge] = above;
    } else {
      bytes[edge] = 0;
      index.remove(edge);
    }
  }

  private int addEdge(int tail, int head, long offset, long weight) {
    if (edges == tails.length) {
      tails = Arrays.copyOf(tails, 2 * edges);
      heads = Arrays.copyOf(heads, 2 * edges);
      offsets = Arrays.copyOf(offsets, 2 * edges);
      bytes = Arrays.copyOf(bytes, 2 * edges);
    }
    tails[edges] = tail;
    heads[edges] = head;
    offsets[edges] = offset;
    bytes[edges] = weight;
    int begin = tail == SOURCE ? 0 : slotEnds[tail];
    int end = head == SINK ? slots : slotBegins[head];
    index.add(edges, begin, end);
    return edges++;
  }
}
