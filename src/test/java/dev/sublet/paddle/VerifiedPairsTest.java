package dev.sublet.paddle;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.paddle.runtime.RunResult;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The in-place pairs that the catalog calls verified: a real runtime gives the same bits whether
 * the pair's two arguments have two names or one.
 *
 * <p>All operators, in all forms and shapes, are branches of one program, so that few processes do.
 */
final class VerifiedPairsTest {

  /** Two axes to four, odd extents, from a part of a cache line to more than a cache. */
  private static final ImmutableList<ImmutableLongArray> SHAPES = shapes();

  /** What is written behind an operator that has its input alone. */
  private static final ImmutableList<String> PLAIN_FORM = ImmutableList.of(")");

  /**
   * What is written behind a pair's input, by operator, in all ways that its kernel tells apart;
   * {@code P[C]} and the like are parameters of the extents that {@link #extents} explains.
   */
  private static final ImmutableMap<String, ImmutableList<String>> FORMS =
      ImmutableMap.<String, ImmutableList<String>>builder()
          .put(
              "batch_norm",
              ImmutableList.of(
                  ", Scale: P[C], Bias: P[C], Mean: P[C], Variance: P[C]) {is_test: true,"
                      + " use_global_stats: true, epsilon: 0.00001, momentum: 0.9}",
                  ", Scale: P[L], Bias: P[L], Mean: P[L], Variance: P[L]) {is_test: true,"
                      + " use_global_stats: true, epsilon: 0.00001, momentum: 0.9,"
                      + " data_layout: \"NHWC\"}",
                  ", Scale: P[C], Bias: P[C], Mean: P[C], Variance: P[C]) {is_test: false,"
                      + " use_global_stats: false, epsilon: 0.00001, momentum: 0.9}"))
          .put(
              "dropout",
              ImmutableList.of(
                  ") {is_test: true, dropout_prob: 0.3,"
                      + " dropout_implementation: \"upscale_in_train\"}",
                  ") {is_test: true, dropout_prob: 0.3,"
                      + " dropout_implementation: \"downgrade_in_infer\"}",
                  ") {is_test: false, dropout_prob: 0.3, fix_seed: true, seed: 7,"
                      + " dropout_implementation: \"upscale_in_train\"}"))
          .put(
              "prelu",
              ImmutableList.of(
                  ", Alpha: P[1]) {mode: \"all\"}",
                  ", Alpha: P[1,C]) {mode: \"channel\", data_format: \"NCHW\"}"))
          .put(
              "instance_norm",
              ImmutableList.of(
                  ", Scale: P[C], Bias: P[C]) {epsilon: 0.00001}", ") {epsilon: 0.001}"))
          .put("log_softmax", ImmutableList.of(") {axis: -1}", ") {axis: 1}"))
          .put("softplus", ImmutableList.of(") {beta: 1.0, threshold: 20.0}"))
          .put("swish", ImmutableList.of(") {beta: 1.0}", ") {beta: 1.5}"))
          .put("hard_swish", ImmutableList.of(") {threshold: 6.0, scale: 6.0, offset: 3.0}"))
          .put("hard_sigmoid", ImmutableList.of(") {slope: 0.2, offset: 0.5}"))
          .buildOrThrow();

  /** The same for operators of two tensors, by the slot that the output takes over. */
  private static final ImmutableMap<String, ImmutableList<String>> BINARY_FORMS =
      ImmutableMap.of(
          "X",
          ImmutableList.of(
              ", Y: P[A]) {axis: -1}",
              ", Y: P[C]) {axis: 1}",
              ", Y: P[L]) {axis: -1}",
              ", Y: P[1]) {axis: -1}"),
          "Y",
          ImmutableList.of(", X: P[A]) {axis: -1}", ", X: P[1]) {axis: -1}"));

  /** The lines of two programs that differ in how many names a pair has. */
  private static final class Branches {

    private final List<String> apart = new ArrayList<>();
    private final List<String> together = new ArrayList<>();
    private final Map<String, String> whatIsFetched = new LinkedHashMap<>();
    private int names;

    private Branches() {
      both("version 2003002");
      both("block 0");
      for (int i = 0; i < SHAPES.size(); i++) {
        both("feed x" + i + ": " + type(SHAPES.get(i)) + " check_feed");
      }
    }

    private void both(String line) {
      apart.add(line);
      together.add(line);
    }

    private String declare(String prefix, String type) {
      String name = prefix + names++;
      both("var " + name + ": " + type);
      return name;
    }

    private void add(String type, InPlacePair pair, String form, int shape) {
      String tensor = type(SHAPES.get(shape));
      String rest = form;
      while (rest.contains("P[")) {
        int start = rest.indexOf("P[");
        int end = rest.indexOf(']', start);
        String dims = extents(rest.substring(start + 2, end), SHAPES.get(shape));
        String parameter = declare("w", "fp32[" + dims + "] persistable parameter");
        rest = rest.substring(0, start) + parameter + rest.substring(end + 1);
      }
      String source = declare("a", tensor);
      String target = declare("b", tensor);
      String fetched = declare("c", tensor);
      both(source + " = scale(x" + shape + ") {scale: 4.0, bias: -2.0}");
      String operator = String.format("%s(%s: %s%s", type, pair.input(), source, rest);
      String further = furtherOutputs(type, rest);
      apart.add(String.format("(%s: %s%s) = %s", pair.output(), target, further, operator));
      together.add(String.format("(%s: %s%s) = %s", pair.output(), source, further, operator));
      apart.add(fetched + " = scale(" + target + ") {scale: 3.0}");
      together.add(fetched + " = scale(" + source + ") {scale: 3.0}");
      both("fetch(" + fetched + ")");
      whatIsFetched.put(fetched, type + " " + pair + " " + form + " " + SHAPES.get(shape));
    }

    private String furtherOutputs(String type, String inputs) {
      return switch (type) {
        case "batch_norm" ->
            ", MeanOut: "
                + argument("Mean", inputs)
                + ", VarianceOut: "
                + argument("Variance", inputs)
                + outputs("SavedMean", "SavedVariance");
        case "instance_norm" -> outputs("SavedMean", "SavedVariance");
        case "dropout" -> ", Mask: " + declare("mask", "uint8[1]");
        default -> "";
      };
    }

    private static String argument(String slot, String inputs) {
      int start = inputs.indexOf(slot + ": ") + slot.length() + 2;
      return Splitter.onPattern("[,)]").splitToList(inputs.substring(start)).get(0);
    }

    private String outputs(String... slots) {
      StringBuilder text = new StringBuilder();
      for (String slot : slots) {
        text.append(", ").append(slot).append(": ").append(declare("s", "fp32[1]"));
      }
      return text.toString();
    }
  }

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  @Test
  void verifiedPair_underOneName_givesTheSameBits() {
    Branches branches = new Branches();
    for (OperatorSpec spec : OperatorCatalog.standard().all()) {
      for (InPlacePair pair : spec.inPlacePairs()) {
        boolean isVerified = Splitter.on(',').splitToList(pair.versions()).contains("verified");
        if (isVerified && !spec.isOnnx()) {
          for (String form : forms(spec.type(), pair)) {
            for (int shape = 0; shape < SHAPES.size(); shape++) {
              branches.add(spec.type(), pair, form, shape);
            }
          }
        }
      }
    }
    Feeds feeds = Feeds.none();
    for (int i = 0; i < SHAPES.size(); i++) {
      feeds = feeds.withImage("x" + i, SHAPES.get(i).toArray());
    }
    Program apart = ProgramText.parse(Joiner.on('\n').join(branches.apart));
    Program together = ProgramText.parse(Joiner.on('\n').join(branches.together));
    Model model = Model.withRandomParameters("verified_pairs", apart, feeds);
    for (Mode mode : ImmutableList.of(Mode.PLAIN, Mode.OPTIMIZING_MEMORY)) {
      RunResult expected = PaddleRuntime.run(model, mode);
      RunResult actual = PaddleRuntime.run(model.with(together), mode);
      assertThat(actual.outputs().keySet()).isEqualTo(branches.whatIsFetched.keySet());
      ImmutableList<String> differences =
          branches.whatIsFetched.keySet().stream()
              .filter(
                  name -> !Objects.equals(actual.outputs().get(name), expected.outputs().get(name)))
              .map(branches.whatIsFetched::get)
              .collect(toImmutableList());
      assertWithMessage("%s", mode).that(differences).isEmpty();
    }
  }

  private static ImmutableList<String> forms(String type, InPlacePair pair) {
    return type.startsWith("elementwise_")
        ? BINARY_FORMS.getOrDefault(pair.input(), PLAIN_FORM)
        : FORMS.getOrDefault(type, PLAIN_FORM);
  }

  /** What {@code A} (all axes), {@code C} (channels) and {@code L} (the last axis) are. */
  private static String extents(String letters, ImmutableLongArray shape) {
    return letters
        .replace("A", Joiner.on(',').join(shape.asList()))
        .replace("C", Long.toString(shape.get(1)))
        .replace("L", Long.toString(shape.get(shape.length() - 1)));
  }

  private static String type(ImmutableLongArray shape) {
    return "fp32[" + Joiner.on(',').join(shape.asList()) + "]";
  }

  private static ImmutableList<ImmutableLongArray> shapes() {
    SplittableRandom random = new SplittableRandom(20);
    return ImmutableList.of(
        ImmutableLongArray.of(odd(random, 9), odd(random, 2000)),
        ImmutableLongArray.of(odd(random, 5), odd(random, 9), odd(random, 300)),
        ImmutableLongArray.of(odd(random, 5), odd(random, 40), odd(random, 60), odd(random, 60)),
        ImmutableLongArray.of(1, 3, 1, odd(random, 9)));
  }

  /** An odd extent, from half of the bound to the bound. */
  private static long odd(SplittableRandom random, int bound) {
    return random.nextInt(bound / 2, bound) | 1;
  }
}
