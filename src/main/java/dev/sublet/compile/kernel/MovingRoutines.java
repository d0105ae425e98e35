package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Slot;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.machine.Kernels;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Map;

/**
 * Operators that only move elements, to places that depend on shapes and sequences.
 *
 * <p>The kernel itself runs, on numbers instead of elements. Where a number arrives, the element of
 * that number does, too:
 *
 * <pre>
 * sequence_reverse of 3 and 2 rows:  0 1 2 3 4  →  2 1 0 4 3
 * </pre>
 *
 * <p>O(elements) when a program is compiled; the code has a list of runs.
 */
final class MovingRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.<String, CRoutine.Rule>builder()
          .put("lod_reset", call -> moved(call, "X"))
          .put("sequence_concat", call -> moved(call, "X"))
          .put("sequence_expand", call -> moved(call, "X"))
          .put("sequence_expand_as", call -> moved(call, "X"))
          .put("sequence_pad", call -> moved(call, "X", "PadValue"))
          .put("sequence_reshape", call -> moved(call, "X"))
          .put("sequence_reverse", call -> moved(call, "X"))
          .put("sequence_slice", call -> moved(call, "X"))
          .put("sequence_unpad", call -> moved(call, "X"))
          .buildOrThrow();

  /** The numbers in a list at most. */
  private static final int MOST_NUMBERS = 1 << 20;

  private MovingRoutines() {}

  /**
   * Returns the routine of an operator that moves the elements of inputs of one type. Other outputs
   * than the first must not depend on elements.
   */
  private static CRoutine moved(OperatorCall call, String... slots) {
    ImmutableSet<String> moved = ImmutableSet.copyOf(slots);
    ElementType type = call.input(slots[0]).type();
    long elements = 0;
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    for (Map.Entry<String, LodTensor> input : call.inputs().entries()) {
      Tensor tensor = input.getValue().tensor();
      if (moved.contains(input.getKey())) {
        if (tensor.type() != type) {
          throw new UncompiledException("moves elements of " + type + " and " + tensor.type());
        }
        Tensor numbers = numbers(tensor.shape(), elements);
        inputs.put(input.getKey(), new LodTensor(numbers, input.getValue().lod()));
        elements += tensor.length();
      } else {
        inputs.put(input);
      }
    }
    OperatorResult result =
        Kernels.all()
            .find(call.type())
            .orElseThrow()
            .run(new OperatorCall(call.operation(), inputs.build(), wanted(call)));
    RoutineBuilder routine = new RoutineBuilder(call);
    boolean isFirst = true;
    for (Map.Entry<String, OperatorResult.Output> output : result.outputs().entries()) {
      String slot = output.getKey();
      if (call.wants(slot)) {
        Tensor tensor = output.getValue().tensor();
        long[] shape = tensor.shape().toArray();
        routine.declare(slot, isFirst ? type : tensor.type(), shape);
        output.getValue().lod().ifPresent(lod -> routine.withLod(slot, lod));
        if (isFirst) {
          move(call, routine, tensor, slot, moved);
        } else {
          routine.call("put_integers").numbers(tensor.length());
          routine.list(list(tensor)).toOut(slot);
        }
      }
      isFirst = false;
    }
    return routine.build();
  }

  private static ImmutableSet<String> wanted(OperatorCall call) {
    ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
    for (Slot slot : call.operation().outputSlots()) {
      if (call.wants(slot.name())) {
        wanted.add(slot.name());
      }
    }
    return wanted.build();
  }

  private static Tensor numbers(ImmutableLongArray shape, long first) {
    Tensor numbers = Tensor.zeros(ElementType.INT64, shape);
    for (int i = 0; i < numbers.length(); i++) {
      numbers.longs()[i] = first + i;
    }
    return numbers;
  }

  /** Adds the calls that move the elements of each input to an output. */
  private static void move(
      OperatorCall call,
      RoutineBuilder routine,
      Tensor numbers,
      String out,
      ImmutableSet<String> moved) {
    long first = 0;
    for (String slot : moved) {
      ImmutableList<LodTensor> arguments = call.arguments(slot);
      for (int i = 0; i < arguments.size(); i++) {
        Tensor input = arguments.get(i).tensor();
        ImmutableLongArray runs = runs(numbers, first, input.length());
        first += input.length();
        if (!runs.isEmpty()) {
          routine.call("move_" + CLibrary.suffix(input.type())).numbers(runs.length() / 4);
          routine.list(runs).in(slot, i, 0).toOut(out);
        }
      }
    }
  }

  /** Returns the runs of numbers from {@code first} on: place, number, length and step of each. */
  private static ImmutableLongArray runs(Tensor numbers, long first, long count) {
    ImmutableLongArray.Builder runs = ImmutableLongArray.builder();
    long[] all = numbers.longs();
    int begin = 0;
    while (begin < all.length) {
      int end = begin + 1;
      long step = end < all.length && all[end] == all[begin] ? 0 : 1;
      while (end < all.length
          && all[end] == all[begin] + (end - begin) * step
          && all[end] < first + count) {
        end++;
      }
      if (all[begin] >= first && all[begin] < first + count) {
        runs.add(begin).add(all[begin] - first).add(end - begin).add(step);
        begin = end;
      } else {
        begin++;
      }
    }
    ImmutableLongArray list = runs.build();
    if (list.length() > MOST_NUMBERS) {
      throw new UncompiledException("moves elements in " + list.length() / 4 + " runs");
    }
    return list;
  }

  private static ImmutableLongArray list(Tensor tensor) {
    if (tensor.type() != ElementType.INT64) {
      throw new UncompiledException("computes " + tensor.type());
    }
    return ImmutableLongArray.copyOf(tensor.longs());
  }
}
