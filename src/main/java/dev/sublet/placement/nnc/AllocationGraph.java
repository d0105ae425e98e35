package dev.sublet.placement.nnc;

import static com.google.common.base.Preconditions.checkState;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * NNC's allocation graph: its edges state which bytes pass from which tensor to which later one.
 * The source stands for the arena before the program, the sink for the arena after it.
 *
 * <p>A node is an interval of a buffer. A hole of a buffer is thus an edge from one interval to the
 * next, in which other buffers may lie. An edge has a number of bytes (its weight) and the offset
 * at which they begin. These bytes are free from the end of the edge's tail to the begin of its
 * head. At every point, the live intervals and the edges that span the point partition the arena.
 * The flow into a node equals the flow out of it, and the bytes that the node occupies; the flow
 * out of the source is the whole arena.
 *
 * <p>Source: "The NNC Tensor Allocation Algorithm", Basic Structure and Insertion. In the document
 * a node is a tensor, and an edge has no offset (in NNC's code it has one). Nodes that are
 * intervals are an addition here.
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

  /** Creates a graph without bytes and without nodes. */
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

  /** The size of the arena: the total weight of the source's edges. */
  long top() {
    return top;
  }

  /** Grows the arena up to an offset by an edge from source to sink. */
  void growTo(long offset) {
    if (offset > top) {
      addEdge(SOURCE, SINK, top, offset - top);
      top = offset;
    }
  }

  /** The number of edges added so far, including those that have no bytes left. */
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

  /** The offset of an edge's first byte. */
  long offset(int edge) {
    return offsets[edge];
  }

  /** The weight of an edge. */
  long bytes(int edge) {
    return bytes[edge];
  }

  /**
   * Finds the edges whose bytes are free from the begin of one interval to the end of another, and
   * returns their number. O(log points + edges that are free at the begin).
   */
  int findEdges(int first, int last) {
    return index.collect(slotBegins[first], slotEnds[last]);
  }

  /** One of the edges that the latest {@link #findEdges} found. */
  int found(int hit) {
    return index.found(hit);
  }

  /**
   * The time for which the bytes of an edge stay unused if the intervals from {@code first} to
   * {@code last} lie there, in slots between points at which an interval begins or ends. An end at
   * the source or the sink counts as all slots, as in NNC's code, so that edges between two tensors
   * come first.
   */
  long slack(int edge, int first, int last) {
    long before = tails[edge] == SOURCE ? slots : slotBegins[first] - slotEnds[tails[edge]];
    long after = heads[edge] == SINK ? slots : slotBegins[heads[edge]] - slotEnds[last];
    return before + after;
  }

  /** Returns the bytes that are free throughout an interval, with adjacent edges merged. */
  OffsetRanges freeBytes(int interval) {
    int count = findEdges(interval, interval);
    // The edges have no byte in common, so begins and ends may be sorted separately.
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

  /** The number of entries read so far to find edges. */
  long visits() {
    return index.visits();
  }

  /**
   * Inserts an interval that occupies the bytes {@code [begin, end)}. Each edge gives up those of
   * its bytes that are in this range: they now go from the edge's tail to the interval, and from
   * the interval to the edge's head. The edge keeps its bytes below and above the range.
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

  /**
   * Returns the edges that have bytes of {@code [begin, end)} throughout an interval, by ascending
   * offset.
   */
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

  /**
   * Lengthens the latest edge if it joins the same nodes and ends at this offset; else adds an
   * edge.
   */
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

  /**
   * Removes bytes from an edge. If bytes remain on both sides, the upper ones become a new edge.
   */
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
