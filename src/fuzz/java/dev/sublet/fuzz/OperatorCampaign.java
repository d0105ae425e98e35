package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.paddle.oracle.FactCase;
import dev.sublet.paddle.oracle.FactResult;
import dev.sublet.paddle.oracle.FactTable;
import dev.sublet.paddle.oracle.OperatorFacts;
import dev.sublet.paddle.oracle.OperatorOracle;
import dev.sublet.paddle.oracle.OracleCase;
import dev.sublet.paddle.oracle.OracleResult;
import dev.sublet.paddle.oracle.OracleText;
import dev.sublet.paddle.oracle.ShapeRuleCheck;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.machine.Kernels;
import dev.sublet.runtime.machine.OperatorFactsTest;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random calls of operators in the real Paddle: what the catalog says of them must be so, and our
 * own executor must compute the same values of the shapes that the rules say. A case is a batch of
 * calls, since to start Paddle takes a second; each is a line for {@code testdata/operators} or
 * {@code testdata/facts}.
 */
final class OperatorCampaign implements Campaign {

  private static final int CALLS = 150;

  /** Random calls are worse conditioned than chosen ones. */
  private static final double TOLERANCE = 1e-2;

  /**
   * Operators whose terms cancel, so that the rounding of a function decides about all digits: x -
   * tanh(x) of small inputs, 1 - tanh(x)^2 of large ones. {@code testdata/operators} compares other
   * inputs of theirs.
   */
  private static final ImmutableSet<String> CANCELLING =
      ImmutableSet.of("tanh_shrink", "stanh_grad");

  private final ImmutableList<String> computed;
  private final ImmutableList<String> others;

  OperatorCampaign() throws IOException {
    this.computed = lines("operators");
    this.others = lines("facts");
  }

  private static ImmutableList<String> lines(String folder) throws IOException {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    try (Stream<Path> files = Files.list(Path.of("testdata", folder))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".txt")).sorted().toList()) {
        Files.readAllLines(file).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .forEach(lines::add);
      }
    }
    return lines.build();
  }

  @Override
  public String name() {
    return "operators";
  }

  /** A call, and whether our executor computes it. */
  private record Call(OracleCase oracle, boolean isComputed) {}

  @Override
  public List<Fault> tryCase(long seed, Counts counts) {
    List<Call> calls = calls(seed, counts);
    Map<String, Fault> faults = judged(seed, calls, counts);
    if (!faults.isEmpty()) {
      // Paddle may read beyond a tensor, and then computes another value in each run.
      Map<String, Fault> again = judged(seed, calls, new Counts());
      faults.values().removeIf(fault -> isChanged(fault, again, counts));
    }
    return ImmutableList.copyOf(faults.values());
  }

  private static boolean isChanged(Fault fault, Map<String, Fault> again, Counts counts) {
    boolean isChanged = !again.containsValue(fault);
    if (isChanged) {
      counts.add("another result in each run: no fault");
    }
    return isChanged;
  }

  private List<Call> calls(long seed, Counts counts) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Call> calls = new ArrayList<>();
    while (calls.size() < CALLS) {
      boolean isComputed = random.nextInt(4) > 0;
      ImmutableList<String> from = isComputed ? computed : others;
      String drawn = OracleText.drawn(from.get(random.nextInt(from.size())), random);
      String text = drawn;
      while (random.nextInt(3) == 0) {
        text = CallMutation.changed(text, random);
      }
      Optional<Call> call = call(text, isComputed);
      if (call.isPresent() && (hasSequences(call.get()) || !hasSequences(drawn))) {
        if (call.get().oracle().isRefusedByShapeRule()) {
          counts.add("refused by a shape rule");
          continue;
        }
        calls.add(call.get());
      } else {
        counts.add("calls that are none");
      }
    }
    return calls;
  }

  /** Some lines have lists of other numbers beside tensors, as {@code lstm_grad} takes them. */
  private static boolean hasSequences(String text) {
    return call(text, /* isComputed= */ false).map(OperatorCampaign::hasSequences).orElse(true);
  }

  private static boolean hasSequences(Call call) {
    return OperatorFactsTest.hasSequences(call.oracle().call());
  }

  /** The call that a text describes; empty if it describes none. */
  private static Optional<Call> call(String text, boolean isComputed) {
    try {
      OracleCase oracle = OracleText.cases(text).get(0);
      oracle.program(""); // its attributes are text until then
      if (hasOtherTruths(oracle) || hasAnyOrder(oracle)) {
        return Optional.empty();
      }
      return Optional.of(new Call(oracle, isComputed));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether the elements of the result may be in any order; the executor sorts them. */
  private static boolean hasAnyOrder(OracleCase oracle) {
    return oracle.type().equals("top_k_v2") && !oracle.call().flag("sorted", true);
  }

  /** Whether a boolean is neither 0 nor 1, as after a change of the type of given values. */
  private static boolean hasOtherTruths(OracleCase oracle) {
    for (LodTensor input : oracle.inputs().values()) {
      Tensor tensor = input.tensor();
      for (int i = 0; tensor.type() == ElementType.BOOL && i < tensor.length(); i++) {
        if (tensor.getLong(i) != 0 && tensor.getLong(i) != 1) {
          return true;
        }
      }
    }
    return false;
  }

  /** The faults by the call's text; of each call one. */
  private static Map<String, Fault> judged(long seed, List<Call> calls, Counts counts) {
    Map<String, Fault> faults = new LinkedHashMap<>();
    judgeFacts(seed, calls, counts, faults);
    judgeValues(seed, calls, counts, faults);
    return faults;
  }

  private static void judgeValues(
      long seed, List<Call> calls, Counts counts, Map<String, Fault> faults) {
    List<OracleCase> computed = new ArrayList<>();
    for (Call call : calls) {
      if (call.isComputed() && mayKeepOldValues(call.oracle())) {
        counts.add("left as it was by Paddle, not compared");
      } else if (call.isComputed() && CANCELLING.contains(call.oracle().type())) {
        counts.add("decided by rounding, not compared");
      } else if (call.isComputed() && mayTie(call.oracle())) {
        counts.add("order of equal elements, not compared");
      } else if (call.isComputed()) {
        computed.add(call.oracle());
      }
    }
    take(seed, OperatorOracle.compareEach(computed, OperatorFactsTest::run), counts, faults);
  }

  /** Whether the catalog says that an output keeps its old value, because an input is empty. */
  private static boolean mayKeepOldValues(OracleCase call) {
    return !OperatorCatalog.standard().lookup(call.type()).effects().keptIfEmpty().isEmpty()
        && call.inputs().values().stream().anyMatch(input -> input.tensor().length() == 0);
  }

  /** Whether an operator that sorts unstably may get equal elements. */
  private static boolean mayTie(OracleCase call) {
    return call.type().startsWith("top_k")
        && call.inputs().values().stream()
            .map(LodTensor::tensor)
            .anyMatch(OperatorCampaign::hasEqualElements);
  }

  private static boolean hasEqualElements(Tensor tensor) {
    Set<Double> elements = new HashSet<>();
    for (int i = 0; i < tensor.length(); i++) {
      if (!elements.add(tensor.getDouble(i))) {
        return true;
      }
    }
    return false;
  }

  private static void take(
      long seed, List<OracleResult> results, Counts counts, Map<String, Fault> faults) {
    for (OracleResult result : results) {
      String failure = result.failure();
      if (failure.startsWith("here: ")) {
        counts.add("refused here");
        if (failure.matches("here: java\\..*")) { // refused by no kernel, but by what it uses
          add(faults, seed, result.oracleCase(), failure);
        }
      } else if (failure.startsWith("Paddle: ")) {
        counts.add("computed here and refused by Paddle");
      } else {
        counts.add("computed by both");
        if (!failure.isEmpty() && !(result.difference() < TOLERANCE)) {
          add(faults, seed, result.oracleCase(), failure);
        }
      }
    }
  }

  /** An exception here may have one cause for all operators; values have not. */
  private static void add(Map<String, Fault> faults, long seed, OracleCase call, String failure) {
    String shape =
        failure.startsWith("here: ")
            ? Judge.shape(failure.replaceFirst(" at .*", ""))
            : call.type() + ": other values";
    faults.putIfAbsent(call.text(), new Fault(seed, shape, call.text() + "\n  " + failure));
  }

  private static void judgeFacts(
      long seed, List<Call> calls, Counts counts, Map<String, Fault> faults) {
    List<FactCase> cases = new ArrayList<>();
    for (Call call : calls) {
      if (isRefusedHere(call)) {
        counts.add("refused here: no facts judged");
        continue;
      }
      if (call.oracle().call().flag("use_random", /* absent= */ false)) {
        // Two runs may agree by chance, and the third one not.
        counts.add("random results: no facts judged");
        continue;
      }
      try {
        cases.addAll(
            FactCase.of(call.oracle(), pairInputs(call.oracle().type()), OperatorFactsTest::run));
      } catch (RuntimeException e) {
        counts.add("gradients without forward results");
      }
    }
    for (FactResult result : OperatorFacts.judge(cases, ImmutableSet.of())) {
      counts.add(result.refusal().isEmpty() ? "calls" : "refused by Paddle");
      for (FactResult.Judgement judgement : result.judgements()) {
        counts.add(judgement.question().toString());
        if (judgement.failure().startsWith(ShapeRuleCheck.REFUSED)) {
          counts.add("refused by a shape rule"); // Paddle checks little
        } else if (judgement.believed() && !judgement.isYes() && FactTable.isRepeatable(result)) {
          String kind =
              String.format(
                  "%s: %s %s",
                  result.factCase().call().type(), judgement.question(), judgement.subject());
          faults.putIfAbsent(
              result.factCase().call().text(),
              new Fault(
                  seed, kind, result.factCase() + "\n  " + kind + ": " + judgement.failure()));
        }
      }
    }
  }

  /**
   * Whether the kernel of a call refuses it. Paddle may not check such a call, and read memory of
   * others; its results then prove nothing.
   */
  private static boolean isRefusedHere(Call call) {
    return Kernels.all().find(call.oracle().type()).isPresent()
        && OperatorOracle.compute(List.of(call.oracle()), OperatorFactsTest::run)
            .get(0)
            .failure()
            .startsWith("here: ");
  }

  private static ImmutableSet<String> pairInputs(String type) {
    ImmutableSet.Builder<String> inputs = ImmutableSet.builder();
    for (InPlacePair pair : OperatorCatalog.standard().lookup(type).inPlacePairs()) {
      inputs.add(pair.input());
    }
    return inputs.build();
  }

  @Override
  public ImmutableMap<String, byte[]> minimized(Fault fault) {
    List<Call> calls = calls(fault.seed(), new Counts());
    Map<String, Fault> faults = judged(fault.seed(), calls, new Counts());
    Call smallest =
        calls.stream()
            .filter(call -> shows(faults, call, fault))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("not there again: " + fault));
    for (Call next = smallest; next != null; next = smaller(smallest, fault)) {
      smallest = next;
    }
    return ImmutableMap.of("call.txt", (smallest.oracle().text() + "\n").getBytes(UTF_8));
  }

  /** The smallest of the calls with one number less, or a smaller one, that shows the fault. */
  private static @Nullable Call smaller(Call call, Fault fault) {
    List<Call> candidates = new ArrayList<>();
    for (String text : CallShrinker.candidates(call.oracle().text())) {
      call(text, call.isComputed()).ifPresent(candidates::add);
    }
    Map<String, Fault> found = new LinkedHashMap<>();
    if (isAboutFacts(fault)) {
      judgeFacts(fault.seed(), candidates, new Counts(), found);
    } else if (fault.shape().startsWith("here: ")) {
      List<OracleCase> oracles = candidates.stream().map(Call::oracle).toList();
      take(
          fault.seed(),
          OperatorOracle.compute(oracles, OperatorFactsTest::run),
          new Counts(),
          found);
    } else {
      judgeValues(fault.seed(), candidates, new Counts(), found);
    }
    return candidates.stream()
        .filter(each -> shows(found, each, fault))
        .min(Comparator.comparingLong(each -> CallShrinker.size(each.oracle().text())))
        .orElse(null);
  }

  private static boolean isAboutFacts(Fault fault) {
    return Arrays.stream(FactResult.Question.values())
        .anyMatch(question -> fault.shape().contains(": " + question));
  }

  private static boolean shows(Map<String, Fault> faults, Call call, Fault fault) {
    Fault other = faults.get(call.oracle().text());
    return other != null && other.shape().equals(fault.shape());
  }
}
