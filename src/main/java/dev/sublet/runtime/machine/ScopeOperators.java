package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import dev.sublet.runtime.memory.Cell;
import dev.sublet.runtime.memory.Step;
import org.jspecify.annotations.Nullable;

/** The {@link ScopeOperator} of each operator type that has one. */
final class ScopeOperators {

  private static final ImmutableMap<String, ScopeOperator> BY_TYPE =
      ImmutableMap.<String, ScopeOperator>builder()
          .put("ConcatFromSequence", TensorSequenceOperators::concat)
          .put("Optional", OptionalOperators::make)
          .put("OptionalGetElement", OptionalOperators::get)
          .put("OptionalHasElement", OptionalOperators::has)
          .put("SequenceAt", TensorSequenceOperators::at)
          .put("SequenceConstruct", TensorSequenceOperators::construct)
          .put("SequenceEmpty", TensorSequenceOperators::empty)
          .put("SequenceErase", TensorSequenceOperators::erase)
          .put("SequenceInsert", TensorSequenceOperators::insert)
          .put("SequenceLength", TensorSequenceOperators::length)
          .put("SplitToSequence", TensorSequenceOperators::split)
          .put("array_to_lod_tensor", RankTableOperators::fromArray)
          .put("assert", InputOutputOperators::check)
          .put("assign", InputOutputOperators::assign)
          .put("delete_var", InputOutputOperators::delete)
          .put("feed", InputOutputOperators::feed)
          .put("fetch", InputOutputOperators::fetch)
          .put("fetch_v2", InputOutputOperators::fetch)
          .put("gaussian_random", RandomOperators::gaussian)
          .put("lod_array_length", ArrayOperators::length)
          .put("lod_rank_table", RankTableOperators::rank)
          .put("lod_tensor_to_array", RankTableOperators::toArray)
          .put("max_sequence_len", RankTableOperators::longest)
          .put("merge_lod_tensor", RankTableOperators::merge)
          .put("merge_lod_tensor_infer", RankTableOperators::merge)
          .put("onnx.Loop.collect", CollectOperators::inLoop)
          .put("onnx.Scan.collect", CollectOperators::inScan)
          .put("print", InputOutputOperators::print)
          .put("randint", RandomOperators::integers)
          .put("read_from_array", ArrayOperators::read)
          .put("reorder_lod_tensor_by_rank", RankTableOperators::reorder)
          .put("reorder_lod_tensor_by_rank_grad", RankTableOperators::reorderGradient)
          .put("rnn_memory_helper", InputOutputOperators::assign)
          .put("select_input", InputOutputOperators::select)
          .put("select_output", InputOutputOperators::distribute)
          .put("share_data", InputOutputOperators::assign)
          .put("shrink_rnn_memory", RankTableOperators::shrink)
          .put("shrink_rnn_memory_grad", RankTableOperators::shrinkGradient)
          .put("split_lod_tensor", RankTableOperators::split)
          .put("tensor_array_to_tensor", ArrayOperators::toTensor)
          .put("uniform_random", RandomOperators::uniform)
          .put("write_to_array", ArrayOperators::write)
          .buildOrThrow();

  /**
   * The operator types with a kernel that run differently if their first input is an array, or an
   * empty optional.
   */
  private static final ImmutableMap<String, ScopeOperator> ON_ARRAYS =
      ImmutableMap.of(
          "Identity", InputOutputOperators::identity,
          "concat", ArrayOperators::concat,
          "fill_zeros_like", ArrayOperators::zeros,
          "slice", ArrayOperators::slice,
          "sum", ArrayOperators::sum);

  private ScopeOperators() {}

  /** Returns the scope operator for an operator; null if a kernel runs it. */
  static @Nullable ScopeOperator find(Step step) {
    ScopeOperator operator = BY_TYPE.get(step.operation().type());
    Cell first = step.inputs().isEmpty() ? null : step.inputs().get(0).cell();
    boolean takesArray = first != null && (first.holdsArray() || first.isEmptyOptional());
    return operator == null && takesArray ? ON_ARRAYS.get(step.operation().type()) : operator;
  }

  /** Whether operators of a type always run as a scope operator. O(1). */
  static boolean isOne(String type) {
    return BY_TYPE.containsKey(type);
  }

  /** Returns the operator types that always run as a scope operator, sorted. */
  static ImmutableSortedSet<String> types() {
    return ImmutableSortedSet.copyOf(BY_TYPE.keySet());
  }
}
