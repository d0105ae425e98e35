package dev.sublet.operator;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Ordering;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.LodRule;
import dev.sublet.operator.spec.OperatorSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the standard catalog says. */
final class OperatorCatalogTest {

  private static final OperatorCatalog CATALOG = OperatorCatalog.standard();

  @ParameterizedTest
  @ValueSource(
      strings = {
        // The operators of the ten corpus programs.
        """
          anchor_generator arg_max assign assign_value batch_norm box_clip box_coder cast clip
          collect_fpn_proposals concat conditional_block conv2d conv2d_transpose
          depthwise_conv2d distribute_fpn_proposals dropout elementwise_add elementwise_div
          elementwise_mul elementwise_sub feed fetch fill_constant fill_constant_batch_size_like
          flatten_contiguous_range gather generate_proposals greater_than hard_sigmoid
          hard_swish leaky_relu less_than lod_array_length lod_reset logical_not matmul
          matmul_v2 meshgrid mul multiclass_nms multiclass_nms3 nearest_interp nearest_interp_v2
          one_hot_v2 pool2d prior_box range reduce_max reduce_mean relu relu6 reshape2 reverse
          rnn roi_align scale select_input sequence_expand set_value shape sigmoid slice softmax
          split squeeze2 stack swish tanh tensor_array_to_tensor top_k_v2 transpose2 unsqueeze2
          while write_to_array
        """,
        // The others that real programs lead us to expect.
        """
          abs arg_min argsort bilinear_interp bilinear_interp_v2 bmm conv3d cos crf_decoding
          cumsum deformable_conv depthwise_conv2d_transpose elementwise_floordiv elementwise_max
          elementwise_min elementwise_mod elementwise_pow equal erf exp expand expand_as_v2
          expand_v2 fc fill_any_like fill_zeros_like flatten flatten2 floor gather_nd gelu
          greater_equal grid_sampler group_norm gru increment index_select instance_norm
          label_smooth layer_norm less_equal linspace log log_softmax logical_and logical_or
          lookup_table lookup_table_v2 lrn lstm masked_select matrix_nms mean mish
          multiclass_nms2 not_equal one_hot p_norm pad pad2d pad3d pixel_shuffle pool3d pow
          prelu read_from_array reciprocal reduce_all reduce_any reduce_min reduce_prod
          reduce_sum reshape roll rsqrt sampling_id scatter scatter_nd_add sequence_concat
          sequence_conv sequence_mask sequence_pool sequence_softmax sign silu sin size softplus
          softsign sqrt square squeeze strided_slice sum temporal_shift tile top_k transpose
          tril_triu unbind unfold uniform_random unique unsqueeze unstack warpctc where
          where_index yolo_box
        """,
        // Control flow, arrays, memory and optimizers.
        """
          adadelta adagrad adam adamax adamw array_to_lod_tensor assert beam_search
          beam_search_decode coalesce_tensor conditional_block conditional_block_grad
          conditional_block_infer decayed_adagrad delete_var dlnne_engine feed fetch ftrl
          heter_listen_and_serv increment lamb lars_momentum less_than listen_and_serv load
          load_combine lod_rank_table lod_tensor_to_array max_sequence_len merge_lod_tensor
          momentum print pylayer read_from_array recurrent recurrent_grad rmsprop
          rnn_memory_helper run_program save save_combine select_input select_output sgd
          share_buffer share_data shrink_rnn_memory split_lod_tensor tensorrt_engine while
          while_grad write_to_array
        """
      })
  void lookup_expectedTypes_areKnown(String types) {
    for (String type : Splitter.onPattern("\\s+").omitEmptyStrings().split(types)) {
      assertWithMessage(type).that(CATALOG.lookup(type).known()).isTrue();
    }
  }

  @Test
  void lookup_typeNotListed_isTheWorstCase() {
    OperatorSpec spec = CATALOG.lookup("my_custom_operator");
    assertThat(spec.type()).isEqualTo("my_custom_operator");
    assertThat(spec.known()).isFalse();
    assertThat(spec.control()).isEqualTo(ControlKind.NONE);
    assertThat(spec.effects().on("Out")).isEqualTo(Effect.MAY_WRITE);
    assertThat(spec.lod().rule()).isEqualTo(LodRule.PASSES);
    assertThat(spec.inPlacePairs()).isEmpty();
    assertThat(spec.noNeedBuffer()).isEmpty();
    assertThat(CATALOG.inPlacePairs(spec, 2_003_000)).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "relu, Out, MUST_WRITE",
    "relu_grad, X@GRAD, MUST_WRITE",
    "assign, Out, MUST_WRITE",
    "fill_constant, Out, MUST_WRITE",
    "feed, Out, MUST_WRITE",
    "select_input, Out, MUST_WRITE",
    // A scatter fills the rest of a separate output from its input.
    "scatter, Out, MUST_WRITE",
    "set_value, Out, MUST_WRITE",
    "softmax_with_cross_entropy, Softmax, MUST_WRITE",
    "multiclass_nms3, NmsRoisNum, MUST_WRITE",
    // Written in training, or when an attribute asks for it.
    "dropout, Out, MUST_WRITE",
    "dropout, Mask, MAY_WRITE",
    "batch_norm, Y, MUST_WRITE",
    "batch_norm, MeanOut, MAY_WRITE",
    "batch_norm, VarianceOut, MAY_WRITE",
    "batch_norm, SavedMean, MAY_WRITE",
    "batch_norm, SavedVariance, MAY_WRITE",
    "batch_norm, ReserveSpace, MAY_WRITE",
    "sync_batch_norm, MeanOut, MAY_WRITE",
    "instance_norm, SavedMean, MAY_WRITE",
    "reshape2, Out, MUST_WRITE",
    "reshape2, XShape, MAY_WRITE",
    "transpose2, XShape, MAY_WRITE",
    "flatten_contiguous_range, XShape, MAY_WRITE",
    "rnn, Out, MUST_WRITE",
    "rnn, Reserve, MAY_WRITE",
    "rnn, DropoutState, MAY_WRITE",
    "lstm, Hidden, MUST_WRITE",
    "lstm, BatchGate, MAY_WRITE",
    "gru, BatchHidden, MAY_WRITE",
    "unique, Out, MUST_WRITE",
    "unique, Index, MAY_WRITE",
    "beam_search, selected_ids, MUST_WRITE",
    "beam_search, parent_idx, MAY_WRITE",
    // Past the end of the array, or with no sequence left, nothing is written.
    "read_from_array, Out, MAY_WRITE",
    "shrink_rnn_memory, Out, MAY_WRITE",
    "select_output, Out, MAY_WRITE",
    // A block may not run.
    "while, Out, MAY_WRITE",
    "while, StepScopes, MAY_WRITE",
    "while_grad, X@GRAD, MAY_WRITE",
    "conditional_block, Out, MAY_WRITE",
    "conditional_block_infer, Scope, MAY_WRITE",
    "recurrent, outputs, MAY_WRITE",
    "pylayer, Out, MAY_WRITE",
    // Sparse gradients touch some rows only.
    "sgd, ParamOut, MAY_WRITE",
    "adam, Moment1Out, MAY_WRITE",
    // X of two axes without sequences is read as one of three, and nothing is written.
    "row_conv, Out, MAY_WRITE",
    "row_conv_grad, Filter@GRAD, MAY_WRITE",
    // One of the devices only receives the result.
    "c_reduce_sum, Out, MAY_WRITE",
    // The old value is extended.
    "write_to_array, Out, READ_WRITE",
    "lod_tensor_to_array, Out, READ_WRITE",
    "fetch, Out, READ_WRITE",
  })
  void outputEffect(String type, String slot, Effect expected) {
    assertThat(CATALOG.lookup(type).known()).isTrue();
    assertThat(CATALOG.lookup(type).effects().on(slot)).isEqualTo(expected);
  }

  /** Kernels that return at once if an input has no element. */
  @ParameterizedTest
  @CsvSource({
    "elementwise_add_grad, Y@GRAD",
    "elementwise_mul_grad, X@GRAD",
    "elementwise_div_grad, Y@GRAD",
    "elementwise_max_grad, Y@GRAD",
    "elementwise_min_grad, Y@GRAD",
    "elementwise_pow_grad, Y@GRAD",
    "elementwise_fmax_grad, Y@GRAD",
    "elementwise_fmin_grad, Y@GRAD",
    "gather_nd, Out",
    "take_along_axis, Result",
  })
  void keptIfEmpty(String type, String slot) {
    OperatorSpec spec = CATALOG.lookup(type);
    assertThat(spec.effects().on(slot, /* isArray= */ false, /* mayBeEmpty= */ false))
        .isEqualTo(Effect.MUST_WRITE);
    assertThat(spec.effects().on(slot, /* isArray= */ false, /* mayBeEmpty= */ true))
        .isNotEqualTo(Effect.MUST_WRITE);
  }

  @ParameterizedTest
  @CsvSource({
    "while, WHILE",
    "while_grad, WHILE_GRAD",
    "conditional_block, CONDITIONAL",
    "conditional_block_infer, CONDITIONAL",
    "conditional_block_grad, CONDITIONAL_GRAD",
    "recurrent, RECURRENT",
    "recurrent_grad, RECURRENT_GRAD",
    "pylayer, NONE",
    "run_program, NONE",
    "tensorrt_engine, NONE",
    "conv2d, NONE",
  })
  void control(String type, ControlKind expected) {
    assertThat(CATALOG.lookup(type).control()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "relu, PASSES",
    "reduce_sum, PASSES",
    "accuracy, PASSES",
    "while, PASSES",
    "shape, CLEARS",
    "fill_constant, CLEARS",
    "prior_box, CLEARS",
    "lod_reset, PRODUCES",
    "multiclass_nms3, PRODUCES",
    "generate_proposals, PRODUCES",
    "distribute_fpn_proposals, PRODUCES",
    "array_to_lod_tensor, PRODUCES",
    "beam_search, PRODUCES",
  })
  void lodRule(String type, LodRule expected) {
    assertThat(CATALOG.lookup(type).lod().rule()).isEqualTo(expected);
  }

  @Test
  void hostOutputs_areWhatPaddleKeepsOnTheCpu() {
    assertThat(CATALOG.lookup("shape").hostOutputs()).containsExactly("Out");
    assertThat(CATALOG.lookup("lod_array_length").hostOutputs()).containsExactly("Out");
    assertThat(CATALOG.lookup("memcpy_d2h").hostOutputs()).containsExactly("Out");
    assertThat(CATALOG.lookup("memcpy_h2d").hostOutputs()).isEmpty();
    assertThat(CATALOG.lookup("conv2d").hostOutputs()).isEmpty();
  }

  @Test
  void noNeedBuffer_namesInputsOfWhichOnlyTheShapeIsRead() {
    assertThat(CATALOG.lookup("mean_grad").noNeedBuffer()).containsExactly("X");
    assertThat(CATALOG.lookup("slice_grad").noNeedBuffer()).containsExactly("Input");
    assertThat(CATALOG.lookup("where_grad").noNeedBuffer()).containsExactly("X", "Y");
    assertThat(CATALOG.lookup("sequence_expand").noNeedBuffer()).containsExactly("Y");
    assertThat(CATALOG.lookup("elementwise_add_grad").noNeedBuffer()).containsExactly("X", "Y");
    assertThat(CATALOG.lookup("relu_grad").noNeedBuffer()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"share_data", "share_buffer", "coalesce_tensor", "view_shape", "reshape"})
  void aliases_operatorsThatShareBuffersAtRunTime(String type) {
    assertThat(CATALOG.lookup(type).aliases(0)).isTrue();
  }

  @Test
  void aliases_lodResetOfEarlyVersions() {
    OperatorSpec spec = CATALOG.lookup("lod_reset");
    assertThat(spec.aliases(0)).isTrue();
    assertThat(spec.aliases(1_008_000)).isTrue();
    assertThat(spec.aliases(2_000_002)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"assign", "reshape2", "select_input", "scatter", "my_custom_operator"})
  void aliases_operatorsThatCopy(String type) {
    assertThat(CATALOG.lookup(type).aliases(0)).isFalse();
  }

  @Test
  void inPlacePairs_keepTheSlotNamesOfTheTable() {
    assertThat(slots("put_along_axis")).containsExactly("Input->Result");
    assertThat(slots("copysign")).containsExactly("x->out");
    assertThat(slots("relu_grad_grad")).containsExactly("DDX->DDOut");
  }

  private static ImmutableList<String> slots(String type) {
    return CATALOG.lookup(type).inPlacePairs().stream()
        .map(pair -> pair.input() + "->" + pair.output())
        .collect(ImmutableList.toImmutableList());
  }

  @Test
  void all_isSortedByType_andEachSpecIsFoundUnderItsType() {
    List<String> types = new ArrayList<>();
    for (OperatorSpec spec : CATALOG.all()) {
      types.add(spec.type());
      assertThat(spec.known()).isTrue();
      assertThat(CATALOG.lookup(spec.type())).isSameInstanceAs(spec);
    }
    assertThat(types).isInStrictOrder(Ordering.natural());
    assertThat(types.size()).isAtLeast(900);
  }

  @Test
  void inPlacePairs_ofOneOperator_takeDifferentInputs() {
    for (OperatorSpec spec : CATALOG.all()) {
      ImmutableList<InPlacePair> on = CATALOG.inPlacePairs(spec, 2_003_000);
      assertWithMessage(spec.type())
          .that(on.stream().map(InPlacePair::input).toList())
          .containsNoDuplicates();
    }
  }

  /** The table's pair comes first, so that it is taken where both are legal. */
  @Test
  void inPlacePairs_ofSum_takeEitherSide() {
    assertThat(
            CATALOG.inPlacePairs(CATALOG.lookup("elementwise_add"), 2_003_000).stream()
                .map(InPlacePair::input))
        .containsExactly("X", "Y")
        .inOrder();
  }

  @Test
  void add_sameTypeTwice_isRejected() {
    CatalogBuilder catalog = new CatalogBuilder();
    catalog.add("relu").withGradient();
    assertThat(assertThrows(IllegalStateException.class, () -> catalog.add("relu_grad")))
        .hasMessageThat()
        .isEqualTo("operator 'relu_grad' is in the catalog twice");
  }

  @Test
  void build_slotWithTwoEffects_isRejected() {
    CatalogBuilder catalog = new CatalogBuilder();
    catalog.add("dropout").mayWrite("Mask").readsAndWrites("Mask");
    assertThrows(IllegalArgumentException.class, catalog::build);
  }
}
