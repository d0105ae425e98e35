package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.ObservedTensor;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the catalog says of LoD, asked of a real runtime: an output whose LoD an operator replaces
 * gets the same LoD whether its name carried another one before or none, for inputs with LoD and
 * for inputs without; an operator that passes the LoD of some inputs on takes none over from the
 * others; and an operator that clears LoD takes none over at all.
 */
final class LodReplacementTest {

  /**
   * How an operator is called: {@code A} is a 6 by 8 tensor, with LoD or without; {@code S} one
   * that always has LoD; the others are parameters, {@code I} are ids. {@code =} comes with the
   * outputs, of which {@code O1} and {@code O2} are tested.
   */
  private static final ImmutableMap<String, String> FORMS =
      ImmutableMap.<String, String>builder()
          .put("elementwise_add", "(Out: O1) = elementwise_add(X: A, Y: P)")
          .put("elementwise_sub", "(Out: O1) = elementwise_sub(X: A, Y: P)")
          .put("elementwise_mul", "(Out: O1) = elementwise_mul(X: A, Y: P)")
          .put("elementwise_div", "(Out: O1) = elementwise_div(X: A, Y: P)")
          .put("elementwise_max", "(Out: O1) = elementwise_max(X: A, Y: P)")
          .put("elementwise_min", "(Out: O1) = elementwise_min(X: A, Y: P)")
          .put("elementwise_pow", "(Out: O1) = elementwise_pow(X: A, Y: P)")
          .put("mul", "(Out: O1) = mul(X: A, Y: W)")
          .put("matmul", "(Out: O1) = matmul(X: A, Y: W)")
          .put("matmul_v2", "(Out: O1) = matmul_v2(X: A, Y: W)")
          .put("concat", "(Out: O1) = concat(X: A P) {axis: 1}")
          .put("sum", "(Out: O1) = sum(X: A P)")
          .put("cast", "(Out: O1) = cast(X: A) {in_dtype: 5, out_dtype: 5}")
          .put("clip", "(Out: O1) = clip(X: A) {min: 0.25, max: 0.5}")
          .put("gather", "(Out: O1) = gather(X: A, Index: R)")
          .put("crf_decoding", "(ViterbiPath: O1) = crf_decoding(Emission: S, Transition: T)")
          .put("fc", "(Out: O1) = fc(Input: A, W: W) {in_num_col_dims: 1}")
          .put("dropout", "(Out: O1, Mask: mask) = dropout(X: A) {is_test: true}")
          .put("lookup_table", "(Out: O1) = lookup_table(Ids: I, W: W)")
          .put("lookup_table_v2", "(Out: O1) = lookup_table_v2(Ids: I, W: W)")
          .put("sequence_softmax", "(Out: O1) = sequence_softmax(X: C)")
          .put(
              "sequence_conv",
              "(Out: O1) = sequence_conv(X: S, Filter: F)"
                  + " {contextLength: 3, contextStart: -1, contextStride: 1}")
          .put("sequence_reverse", "(Y: O1) = sequence_reverse(X: S)")
          .put("lod_reset", "(Out: O1) = lod_reset(X: A, Y: S)")
          .put(
              "layer_norm",
              "(Y: O1, Mean: mask, Variance: mask2) = layer_norm(X: A) {begin_norm_axis: 1}")
          .put(
              "batch_norm",
              "(Y: O1, MeanOut: V1, VarianceOut: V2, SavedMean: mask, SavedVariance: mask2)"
                  + " = batch_norm(X: A, Scale: V1, Bias: V2, Mean: V1, Variance: V2)"
                  + " {is_test: true, use_global_stats: true}")
          .put(
              "lstm",
              "(Hidden: O1, Cell: O2, BatchGate: mask, BatchCellPreAct: mask2) = lstm(Input: S,"
                  + " Weight: LW, Bias: LB) {use_peepholes: false, is_reverse: false,"
                  + " gate_activation: \"sigmoid\", cell_activation: \"tanh\","
                  + " candidate_activation: \"tanh\"}")
          .put(
              "gru",
              "(Hidden: O1, BatchGate: mask, BatchResetHiddenPrev: mask2, BatchHidden: mask3)"
                  + " = gru(Input: S6, Weight: GW) {is_reverse: false, activation: \"tanh\","
                  + " gate_activation: \"sigmoid\"}")
          .put(
              "roi_align",
              "(Out: O1) = roi_align(X: M, ROIs: S4)"
                  + " {pooled_height: 2, pooled_width: 2, spatial_scale: 1.0, sampling_ratio: 1}")
          .put(
              "roi_pool",
              "(Out: O1, Argmax: mask) = roi_pool(X: M, ROIs: S4)"
                  + " {pooled_height: 2, pooled_width: 2, spatial_scale: 1.0}")
          .buildOrThrow();

  /** Types that are tested as clearing LoD. */
  private static final ImmutableMap<String, String> CLEARING =
      ImmutableMap.of("roi_align", "Out", "roi_pool", "Out");

  private final List<String> lines = new ArrayList<>();
  private final List<Trial> trials = new ArrayList<>();
  private int names;

  /** Two operators, of which the second one writes names that carried LoD before. */
  private record Trial(String what, int fresh, int stale) {}

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  @Test
  void replacedLod_doesNotDependOnWhatTheNameCarriedBefore() {
    Program program = program();
    Feeds feeds =
        Feeds.none()
            .withImage("p", 6, 8)
            .withImage("m", 1, 3, 8, 8)
            .with("s", image("s", 6, 8).withLod(ImmutableLongArray.of(0, 2, 6)))
            .with("t", image("t", 6, 8).withLod(ImmutableLongArray.of(0, 1, 3, 6)))
            .with("s6", image("s6", 6, 6).withLod(ImmutableLongArray.of(0, 2, 6)))
            .with("s8", image("s8", 8, 8).withLod(ImmutableLongArray.of(0, 2, 8)))
            .with("s4", image("s4", 6, 4).withLod(ImmutableLongArray.of(0, 6)))
            .with("c", image("c", 6, 1).withLod(ImmutableLongArray.of(0, 2, 6)))
            .withSequencesOfIds("i", 8, 2, 4);
    ImmutableListMultimap<Definition, ObservedTensor> observed =
        ObservedShapes.everyExecution(Model.withRandomParameters("lod", program, feeds));
    List<String> wrong = new ArrayList<>();
    for (Trial trial : trials) {
      Operation operation = program.block(0).operations().get(trial.fresh());
      assertThat(trial.what()).startsWith(operation.type() + " of ");
      OperatorSpec spec = OperatorCatalog.standard().lookup(operation.type());
      for (String slot : spec.lod().replaced()) {
        List<?> fresh = lod(observed, trial.fresh(), slot);
        List<?> stale = lod(observed, trial.stale(), slot);
        if (fresh.isEmpty() || !fresh.equals(stale)) {
          wrong.add(trial.what() + " " + slot + ": " + fresh + ", but " + stale);
        }
      }
      if (trial.what().endsWith(" beside s")) {
        for (Slot slot : operation.outputSlots()) {
          if (!lod(observed, trial.fresh(), slot.name()).equals(List.of(List.of()))) {
            wrong.add(trial.what() + " passes the LoD of another input on");
          }
        }
      }
      String clearing = CLEARING.get(operation.type());
      if (clearing != null && !lod(observed, trial.fresh(), clearing).equals(List.of(List.of()))) {
        wrong.add(trial.what() + " does not clear");
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static List<?> lod(
      ImmutableListMultimap<Definition, ObservedTensor> observed, int op, String slot) {
    return observed.get(new Definition(0, op, slot, 0)).stream().map(ObservedTensor::lod).toList();
  }

  private static TensorData image(String name, long... dims) {
    return Feeds.none().withImage(name, dims).tensors().values().iterator().next();
  }

  private Program program() {
    lines.add("version 2003002");
    lines.add("default fp32[6,8]");
    lines.add("block 0");
    lines.add("feed p: fp32[6,8]");
    lines.add("feed m: fp32[1,3,8,8]");
    lines.add("feed s: fp32[6,8] lod(1)");
    lines.add("feed t: fp32[6,8] lod(1)");
    lines.add("feed s6: fp32[6,6] lod(1)");
    lines.add("feed s8: fp32[8,8] lod(1)");
    lines.add("feed s4: fp32[6,4] lod(1)");
    lines.add("feed c: fp32[6,1] lod(1)");
    lines.add("feed i: int64[6,1] lod(1)");
    for (String parameter :
        List.of("w 8,8", "f 24,8", "v1 8", "v2 8", "lw 2,8", "lb 1,8", "gw 2,6", "ct 10,8")) {
      List<String> parts = List.of(parameter.split(" ", -1));
      lines.add("var " + parts.get(0) + ": fp32[" + parts.get(1) + "] persistable parameter");
    }
    lines.add("rows = fill_constant() {shape: [3], value: 1.0, dtype: 2}");
    lines.add("var rows: int32[3]");
    // An operator for each feed, and the one above.
    int operations = 1 + (int) lines.stream().filter(line -> line.startsWith("feed ")).count();
    for (String type : tested()) {
      String form = FORMS.getOrDefault(type, "(Out: O1) = " + type + "(X: A)");
      for (String input : form.contains("A") ? List.of("p", "s") : List.of("s")) {
        operations = addTrial(type, form, input, operations);
      }
      if (!OperatorCatalog.standard().lookup(type).lod().sources().isEmpty()) {
        operations = addTrial(type, form, "p beside s", operations);
      }
    }
    lines.add("fetch(rows)");
    return ProgramText.parse(Joiner.on('\n').join(lines));
  }

  private static Set<String> tested() {
    Set<String> types = new TreeSet<>(CLEARING.keySet());
    for (OperatorSpec spec : OperatorCatalog.standard().all()) {
      if (!spec.lod().replaced().isEmpty() || !spec.lod().sources().isEmpty()) {
        types.add(spec.type());
      }
    }
    return types;
  }

  private int addTrial(String type, String form, String input, int position) {
    int operations = position;
    int fresh = operations++;
    lines.add(call(form, input, name(), name()));
    String o1 = name();
    String o2 = name();
    lines.add(o1 + " = scale(t) {scale: 1.0}");
    lines.add(o2 + " = scale(t) {scale: 1.0}");
    operations += 2;
    int stale = operations++;
    lines.add(call(form, input, o1, o2));
    trials.add(new Trial(type + " of " + input, fresh, stale));
    return operations;
  }

  private String name() {
    return "o" + names++;
  }

  private String call(String form, String input, String o1, String o2) {
    String text = form;
    Map<String, String> arguments =
        ImmutableMap.<String, String>builder()
            .put("O1", o1)
            .put("O2", o2)
            .put("P", input.equals("p beside s") ? "s" : "p")
            .put("LW", "lw")
            .put("LB", "lb")
            .put("GW", "gw")
            .put("W", input.equals("p beside s") ? "s8" : "w")
            .put("F", "f")
            .put("V1", "v1")
            .put("V2", "v2")
            .put("S6", "s6")
            .put("S4", "s4")
            .put("S", "s")
            .put("I", "i")
            .put("M", "m")
            .put("T", "ct")
            .put("C", "c")
            .put("R", input.equals("p beside s") ? "i" : "rows")
            .put("A", input.substring(0, 1))
            .buildOrThrow();
    for (Map.Entry<String, String> argument : arguments.entrySet()) {
      text = text.replaceAll("(?<=[ :])" + argument.getKey() + "(?=[ ,)])", argument.getValue());
    }
    for (String mask : List.of("mask3", "mask2", "mask")) {
      text = text.replaceAll(": " + mask + "(?=[,)])", ": " + name());
    }
    return text;
  }
}
