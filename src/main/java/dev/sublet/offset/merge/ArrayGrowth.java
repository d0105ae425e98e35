package dev.sublet.offset.merge;

import com.google.common.collect.Iterables;
import com.google.common.math.LongMath;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.ByteText;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much the arrays of a program can grow. The runtime allocates their elements beside the plan.
 *
 * <pre>
 *   states = write_to_array(x, I: i)     in block 1, which a loop runs; x has 1,024 bytes
 *   states: at most 1,024 bytes per iteration of block 1
 * </pre>
 *
 * <p>A write may replace an element. The bounds count each write as a new element. The gradient of
 * a block, such as {@code while_grad}, gives an array's gradient at most as many elements as the
 * array has, of the same sizes.
 */
final class ArrayGrowth {

  /** The block under which writes outside of loops are counted. */
  private static final int OUTSIDE = 0;

  private static final String GRADIENT = "@GRAD";

  private final ControlFlowGraph graph;
  private final Sizes sizes;

  /** By array: the bytes written outside of loops, and per iteration of each loop's block. */
  private final Map<Integer, SortedMap<Integer, Long>> bytes = new HashMap<>();

  /** By array: why its growth is not known. */
  private final Map<Integer, String> unknown = new HashMap<>();

  /** By array that the gradient of a block writes: the array of which it is the gradient. */
  private final Map<Integer, Integer> forward = new HashMap<>();

  private ArrayGrowth(ControlFlowGraph graph, Sizes sizes) {
    this.graph = graph;
    this.sizes = sizes;
  }

  /** Finds the growth of all arrays. O(arguments × nesting depth). */
  static ArrayGrowth find(ControlFlowGraph graph, Sizes sizes) {
    ArrayGrowth growth = new ArrayGrowth(graph, sizes);
    Program program = graph.program();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.outputCount(); i++) {
          int output = operation.output(i);
          if (growth.isArray(output)) {
            growth.add(operation, output);
          }
        }
        growth.pairGradients(operation);
      }
    }
    return growth;
  }

  /** Finds the arrays whose gradients an operator with a block writes. */
  private void pairGradients(Operation operation) {
    if (!isGradientOfBlock(operation)) {
      return;
    }
    for (Slot gradients : operation.outputSlots()) {
      Optional<Slot> values =
          gradients.name().endsWith(GRADIENT)
              ? operation.inputSlot(
                  gradients.name().substring(0, gradients.name().length() - GRADIENT.length()))
              : Optional.empty();
      int count = Math.min(gradients.size(), values.map(Slot::size).orElse(0));
      for (int i = 0; i < count; i++) {
        int gradient = gradients.variable(i);
        int value = values.orElseThrow().variable(i);
        if (isArray(gradient) && isArray(value)) {
          forward.putIfAbsent(gradient, value);
        }
      }
    }
  }

  private boolean isArray(int variable) {
    return variable != Program.NO_VARIABLE
        && graph.program().variable(variable).kind() == Variable.Kind.TENSOR_ARRAY;
  }

  private static boolean isGradientOfBlock(Operation operation) {
    return operation.type().endsWith("_grad") && operation.attribute("sub_block").isPresent();
  }

  private void add(Operation operation, int array) {
    if (operation.attribute("sub_block").isPresent() && !isGradientOfBlock(operation)) {
      return; // the operators of the block write
    }
    boolean isElement = operation.type().equals("write_to_array");
    if (!isElement && !operation.type().equals("lod_tensor_to_array")) {
      unknown.putIfAbsent(array, operation.type() + " writes it");
      return;
    }
    Optional<Slot> source = operation.inputSlot("X").filter(slot -> slot.size() > 0);
    int x = source.map(slot -> slot.variable(0)).orElse(Program.NO_VARIABLE);
    if (x == Program.NO_VARIABLE) {
      unknown.putIfAbsent(array, operation.type() + " has no input X");
      return;
    }
    if (!sizes.isKnown(x)) {
      unknown.putIfAbsent(array, sizes.reason(x));
      return;
    }
    bytes
        .computeIfAbsent(array, key -> new TreeMap<>())
        .merge(loopBlock(operation.block()), sizes.bytes(x), LongMath::saturatedAdd);
  }

  /** Returns the body of the innermost loop around a block; {@link #OUTSIDE} without a loop. */
  private int loopBlock(int block) {
    int region = graph.regionOfBlock(block);
    while (region > 0 && !graph.region(region).kind().isLoop()) {
      region = graph.region(region).parent();
    }
    return region > 0 ? graph.region(region).block() : OUTSIDE;
  }

  /** Describes an array: {@code an array: at most 1,024 bytes per iteration of block 1}. */
  String describe(int array) {
    return describeWritten(forward.getOrDefault(array, array));
  }

  private String describeWritten(int array) {
    if (unknown.containsKey(array)) {
      return "an array of unknown size: " + unknown.get(array);
    }
    List<String> parts = new ArrayList<>();
    bytes
        .getOrDefault(array, new TreeMap<>())
        .forEach(
            (block, most) ->
                parts.add(
                    ByteText.inWords(most)
                        + (block == OUTSIDE ? "" : " per iteration of block " + block)));
    if (parts.isEmpty()) {
      return "an array that nothing writes";
    }
    String last = Iterables.getLast(parts);
    String others = String.join(", ", parts.subList(0, parts.size() - 1));
    return "an array: at most " + (others.isEmpty() ? last : others + " and " + last);
  }
}
