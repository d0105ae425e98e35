package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.SequenceBuilder;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.RankTable;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators that turn sequences into arrays with one element per time step, and back. They sort the
 * sequences by length, longest first, so that the sequences that have not ended at a time step come
 * first.
 *
 * <p>Source: {@code lod_rank_table.cc}, {@code lod_tensor_to_array_op.cc}, {@code
 * array_to_lod_tensor_op.cc}, {@code shrink_rnn_memory_op.cc}, {@code
 * reorder_lod_tensor_by_rank_op.cc}, {@code split_lod_tensor_op.cc}, {@code merge_lod_tensor_op.cc}
 * of Paddle 2.3.
 */
final class RankTableOperators {

  private RankTableOperators() {}

  /** {@code lod_rank_table}: ranks the sequences of an input by length. */
  static void rank(Step step, Machine machine) {
    step.output("Out").cell().rankTable = RankTable.of(step.read("X").lod(), level(step));
  }

  private static int level(Step step) {
    return step.operation().attribute("level").map(a -> (int) a.asLong(0)).orElse(0);
  }

  private static RankTable table(Step step) {
    Argument argument = step.input("RankTable");
    RankTable table = argument.cell().rankTable;
    if (table == null) {
      throw new OperatorException("nothing has ranked sequences into it").at(argument.name());
    }
    return table;
  }

  /** {@code max_sequence_len}: returns the length of the longest sequence. */
  static void longest(Step step, Machine machine) {
    long longest = table(step).longest();
    step.write("Out", LodTensor.of(Tensor.of(ImmutableLongArray.of(1), longest)));
  }

  /**
   * {@code lod_tensor_to_array}: element t contains part t of each sequence that is longer than t.
   */
  static void toArray(Step step, Machine machine) {
    RankTable table = table(step);
    LodTensor x = step.read("X");
    int level = table.coarseLod().size();
    if (level >= x.lod().size()) {
      throw new OperatorException("input X has no sequences at level " + level);
    }
    List<@Nullable LodTensor> array = new ArrayList<>();
    for (int t = 0; t < table.longest(); t++) {
      SequenceBuilder element = new SequenceBuilder();
      for (int i = 0; i < table.countLongerThan(t); i++) {
        long part = x.lod().get(level).get(table.items().get(i).index()) + t;
        element.add(x, part, part + 1, level + 1);
      }
      array.add(element.build(x.tensor()));
    }
    machine.countCopy(step, x);
    step.setElements(step.output("Out"), array);
  }

  /** {@code array_to_lod_tensor}: the inverse of {@link #toArray}. */
  static void fromArray(Step step, Machine machine) {
    RankTable table = table(step);
    List<@Nullable LodTensor> array = step.elements(step.input("X"));
    SequenceBuilder result = new SequenceBuilder();
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long end = 0;
    for (int rank : ranksByIndex(table)) {
      int length = table.items().get(rank).length();
      for (int t = 0; t < length; t++) {
        result.add(element(step, array, t), rank, rank + 1, 0);
      }
      end += length;
      offsets.add(end);
    }
    LodTensor parts = result.build(element(step, array, 0).tensor());
    machine.countCopy(step, parts);
    step.write(
        "Out",
        new LodTensor(
            parts.tensor(),
            ImmutableList.<ImmutableLongArray>builder()
                .addAll(table.coarseLod())
                .add(offsets.build())
                .addAll(parts.lod())
                .build()));
  }

  /** Returns the rank of each sequence, in the order of the sequences. */
  private static List<Integer> ranksByIndex(RankTable table) {
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < table.items().size(); rank++) {
      ranks.add(rank);
    }
    ranks.sort(Comparator.comparingInt(rank -> table.items().get(rank).index()));
    return ranks;
  }

  private static LodTensor element(Step step, List<@Nullable LodTensor> array, int index) {
    LodTensor element = index < array.size() ? array.get(index) : null;
    if (element == null) {
      throw new OperatorException("the array has no element " + index).at(step.input("X").name());
    }
    return element;
  }

  /**
   * {@code shrink_rnn_memory}: keeps the rows of the sequences that have not ended at a time step.
   */
  static void shrink(Step step, Machine machine) {
    LodTensor x = step.read("X");
    Tensor index = step.read("I").tensor();
    if (index.length() != 1) {
      throw new OperatorException("input I must be one number but is " + index);
    }
    int count = table(step).countLongerThan(index.getLong(0));
    if (count > 0) {
      SequenceBuilder rest = new SequenceBuilder();
      rest.add(x, 0, count, 0);
      LodTensor shrunk = rest.build(x.tensor());
      machine.countCopy(step, shrunk);
      step.write("Out", shrunk);
    }
  }

  /**
   * {@code shrink_rnn_memory_grad}: appends zeros for the rows that the forward operator dropped.
   */
  static void shrinkGradient(Step step, Machine machine) {
    LodTensor x = step.read("X");
    Tensor gradient = Tensor.zeros(x.tensor().type(), x.tensor().shape());
    Argument output = step.inputOrNull("Out@GRAD");
    if (output != null && step.isSet(output)) {
      Tensor part = step.read(output).tensor();
      Tensor zeros = Slices.rows(gradient, part.size(0), gradient.size(0));
      gradient = Slices.join(ImmutableList.of(part, zeros));
    }
    step.write("X@GRAD", new LodTensor(gradient, x.lod()));
  }

  /**
   * {@code reorder_lod_tensor_by_rank}: puts the sequences, or the rows, in the order of the table.
   */
  static void reorder(Step step, Machine machine) {
    LodTensor x = step.read("X");
    SequenceBuilder result = new SequenceBuilder();
    for (RankTable.Item item : table(step).items()) {
      result.add(x, item.index(), item.index() + 1, 0);
    }
    step.write("Out", result.build(x.tensor()));
  }

  /**
   * {@code reorder_lod_tensor_by_rank_grad}: puts the sequences, or the rows, of the gradient back
   * in the order of the forward input. Paddle calls the gradients X and Out, unlike those of other
   * operators.
   */
  static void reorderGradient(Step step, Machine machine) {
    Argument ofOut = step.inputOrNull("Out@GRAD");
    LodTensor gradient = ofOut == null ? step.read("X") : step.read(ofOut);
    SequenceBuilder result = new SequenceBuilder();
    for (int rank : ranksByIndex(table(step))) {
      result.add(gradient, rank, rank + 1, 0);
    }
    step.write(ofOut == null ? "Out" : "X@GRAD", result.build(gradient.tensor()));
  }

  /**
   * {@code split_lod_tensor}: separates the sequences, or the rows, whose mask is true from the
   * others.
   */
  static void split(Step step, Machine machine) {
    LodTensor x = step.read("X");
    Tensor mask = step.read("Mask").tensor();
    for (boolean side : new boolean[] {false, true}) {
      SequenceBuilder result = new SequenceBuilder();
      for (int i = 0; i < mask.length(); i++) {
        if ((mask.getLong(i) != 0) == side) {
          result.add(x, i, i + 1, level(step));
        }
      }
      step.write(side ? "OutTrue" : "OutFalse", result.build(x.tensor()));
    }
  }

  /** {@code merge_lod_tensor}: the inverse of {@link #split}. */
  static void merge(Step step, Machine machine) {
    LodTensor x = step.read("X");
    Tensor mask = step.read("Mask").tensor();
    LodTensor whenTrue = step.read("InTrue");
    LodTensor whenFalse = step.read("InFalse");
    SequenceBuilder result = new SequenceBuilder();
    int trues = 0;
    int falses = 0;
    for (int i = 0; i < mask.length(); i++) {
      if (mask.getLong(i) != 0) {
        result.add(whenTrue, trues, trues + 1, 0);
        trues++;
      } else {
        result.add(whenFalse, falses, falses + 1, 0);
        falses++;
      }
    }
    LodTensor merged = result.build(trues > 0 ? whenTrue.tensor() : whenFalse.tensor());
    int level = Math.min(level(step), x.lod().size());
    step.write(
        "Out",
        new LodTensor(
            merged.tensor(),
            ImmutableList.<ImmutableLongArray>builder()
                .addAll(x.lod().subList(0, level))
                .addAll(merged.lod())
                .build()));
  }
}
