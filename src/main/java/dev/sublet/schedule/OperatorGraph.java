package dev.sublet.schedule;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Operators in a given order, with the tensors that they read and write. Immutable.
 *
 * <pre>{@code
 * OperatorGraph.Builder graph = OperatorGraph.builder();
 * int a = graph.tensor(64);
 * int b = graph.tensor(32);
 * graph.operator(ImmutableIntArray.of(), ImmutableIntArray.of(a));
 * graph.operator(ImmutableIntArray.of(a), ImmutableIntArray.of(b));
 * }</pre>
 *
 * <p>Each tensor has at most one writer. A tensor without one has its value from the start. A
 * tensor that is kept is live until the end, any other until its last reader has run. Operators may
 * also have to keep their order for other reasons, see {@link Builder#inOrder}.
 */
public final class OperatorGraph {

  private static final int NONE = -1;

  private final ImmutableLongArray bytes;
  private final BitSet kept;
  private final ImmutableIntArray[] inputs;
  private final ImmutableIntArray[] outputs;
  private final int[] writers;
  private final ImmutableIntArray[] readers;
  private final ImmutableIntArray[] predecessors;
  private final ImmutableIntArray[] successors;
  private final List<List<Reuse>> reuses;
  private final Map<Integer, Long> extra;

  /**
   * An output that takes bytes of an input if the input is not needed any more.
   *
   * @param input the tensor that the operator reads
   * @param output the tensor that the operator writes
   * @param isPart whether the input becomes a part of the output, so that several inputs together
   *     may be reused, as by a concatenation; else one input at most is reused per output
   */
  record Reuse(int input, int output, boolean isPart) {}

  private OperatorGraph(Builder builder) {
    this.bytes = builder.bytes.build();
    this.kept = (BitSet) builder.kept.clone();
    this.inputs = builder.inputs.toArray(new ImmutableIntArray[0]);
    this.outputs = builder.outputs.toArray(new ImmutableIntArray[0]);
    this.reuses = builder.reuses.stream().map(List::copyOf).toList();
    this.extra = ImmutableMap.copyOf(builder.extra);
    this.writers = writers();
    this.readers = readers();
    this.predecessors = predecessors(builder.earlier);
    this.successors = successors();
  }

  /** Starts a graph without operators. */
  public static Builder builder() {
    return new Builder();
  }

  private int[] writers() {
    int[] found = new int[bytes.length()];
    Arrays.fill(found, NONE);
    for (int i = 0; i < outputs.length; i++) {
      for (int j = 0; j < outputs[i].length(); j++) {
        int tensor = outputs[i].get(j);
        checkArgument(found[tensor] == NONE, "tensor %s has two writers", tensor);
        found[tensor] = i;
      }
    }
    return found;
  }

  private ImmutableIntArray[] readers() {
    ImmutableIntArray.Builder[] lists = lists(bytes.length());
    for (int i = 0; i < inputs.length; i++) {
      for (int j = 0; j < inputs[i].length(); j++) {
        lists[inputs[i].get(j)].add(i);
      }
    }
    return build(lists);
  }

  private ImmutableIntArray[] predecessors(List<List<Integer>> earlier) {
    ImmutableIntArray.Builder[] lists = lists(inputs.length);
    for (int i = 0; i < inputs.length; i++) {
      BitSet before = new BitSet();
      earlier.get(i).forEach(before::set);
      for (int j = 0; j < inputs[i].length(); j++) {
        int writer = writers[inputs[i].get(j)];
        if (writer != NONE) {
          checkArgument(writer < i, "operator %s comes before its input", i);
          before.set(writer);
        }
      }
      before.stream().forEach(lists[i]::add);
    }
    return build(lists);
  }

  private ImmutableIntArray[] successors() {
    ImmutableIntArray.Builder[] lists = lists(inputs.length);
    for (int i = 0; i < predecessors.length; i++) {
      for (int j = 0; j < predecessors[i].length(); j++) {
        lists[predecessors[i].get(j)].add(i);
      }
    }
    return build(lists);
  }

  private static ImmutableIntArray.Builder[] lists(int count) {
    ImmutableIntArray.Builder[] lists = new ImmutableIntArray.Builder[count];
    for (int i = 0; i < count; i++) {
      lists[i] = ImmutableIntArray.builder();
    }
    return lists;
  }

  private static ImmutableIntArray[] build(ImmutableIntArray.Builder[] lists) {
    ImmutableIntArray[] arrays = new ImmutableIntArray[lists.length];
    for (int i = 0; i < arrays.length; i++) {
      arrays[i] = lists[i].build();
    }
    return arrays;
  }

  /** The number of operators. */
  public int size() {
    return inputs.length;
  }

  /** The number of tensors. */
  int tensors() {
    return bytes.length();
  }

  long bytes(int tensor) {
    return bytes.get(tensor);
  }

  /** Whether a tensor is live until the end. */
  boolean isKept(int tensor) {
    return kept.get(tensor);
  }

  /** The tensors that an operator reads, each once. */
  ImmutableIntArray inputs(int operator) {
    return inputs[operator];
  }

  ImmutableIntArray outputs(int operator) {
    return outputs[operator];
  }

  /** The operators that read a tensor, ascending. */
  ImmutableIntArray readers(int tensor) {
    return readers[tensor];
  }

  /** The operators that must run before an operator, as far as others do not follow; ascending. */
  public ImmutableIntArray predecessors(int operator) {
    return predecessors[operator];
  }

  ImmutableIntArray successors(int operator) {
    return successors[operator];
  }

  /** The bytes that an operator needs besides its inputs and outputs while it runs. */
  long extra(int operator) {
    return extra.getOrDefault(operator, 0L);
  }

  List<Reuse> reuses(int operator) {
    return reuses.get(operator);
  }

  /** The operator that writes a tensor; -1 if it has its value from the start. */
  int writer(int tensor) {
    return writers[tensor];
  }

  /** The sum of the tensors that have their value from the start. */
  long bytesAtStart() {
    long sum = 0;
    for (int i = 0; i < bytes.length(); i++) {
      sum += writers[i] == NONE ? bytes.get(i) : 0;
    }
    return sum;
  }

  /** Builds a graph: tensors, and operators in their given order. */
  public static final class Builder {

    private final ImmutableLongArray.Builder bytes = ImmutableLongArray.builder();
    private final BitSet kept = new BitSet();
    private final List<ImmutableIntArray> inputs = new ArrayList<>();
    private final List<ImmutableIntArray> outputs = new ArrayList<>();
    private final List<List<Reuse>> reuses = new ArrayList<>();
    private final List<List<Integer>> earlier = new ArrayList<>();
    private final Map<Integer, Long> extra = new HashMap<>();
    private int tensors;

    private Builder() {}

    /** Adds a tensor; returns its number. */
    public int tensor(long size) {
      checkArgument(size >= 0, "%s bytes", size);
      bytes.add(size);
      return tensors++;
    }

    /** Keeps a tensor until the end. */
    public void keep(int tensor) {
      kept.set(tensor);
    }

    /**
     * Adds an operator; returns its number.
     *
     * @param read the tensors that it reads, each once
     * @param written the tensors that it writes
     */
    public int operator(ImmutableIntArray read, ImmutableIntArray written) {
      inputs.add(read);
      outputs.add(written);
      reuses.add(new ArrayList<>());
      earlier.add(new ArrayList<>());
      return inputs.size() - 1;
    }

    /** Demands that an operator runs before a later one, whatever they read and write. */
    public void inOrder(int first, int second) {
      checkArgument(first < second, "operator %s comes before %s", second, first);
      earlier.get(second).add(first);
    }

    /**
     * Demands bytes besides inputs and outputs while an operator runs, as for a block in it. Of
     * several demands, as for the two branches of an operator, the largest counts.
     */
    public void whileRunning(int operator, long size) {
      checkArgument(size >= 0, "%s bytes", size);
      extra.merge(operator, size, Math::max);
    }

    /** Allows an operator to compute an output in the bytes of an input that is read last by it. */
    public void inPlace(int operator, int input, int output) {
      reuses.get(operator).add(new Reuse(input, output, /* isPart= */ false));
    }

    /** Allows inputs that are read last by an operator to become parts of its output. */
    public void part(int operator, int input, int output) {
      reuses.get(operator).add(new Reuse(input, output, /* isPart= */ true));
    }

    /**
     * Builds the graph. O(arguments).
     *
     * @throws IllegalArgumentException if an operator comes before one that writes its input, or a
     *     tensor has two writers
     */
    public OperatorGraph build() {
      return new OperatorGraph(this);
    }
  }
}
