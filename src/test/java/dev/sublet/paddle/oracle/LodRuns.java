package dev.sublet.paddle.oracle;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.paddle.runtime.JoinedBatch;
import dev.sublet.paddle.runtime.ObservedTensor;
import dev.sublet.paddle.runtime.OperatorTrace;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Asks the real Paddle how sequence information (LoD) flows through operators.
 *
 * <p>Each call runs twice: with outputs that are new, and with outputs whose names carried LoD
 * before. It runs with the LoD of its line, without any, and with LoD in one input after the other.
 *
 * <pre>{@code
 * (Out: new_Out_0) = relu(X: i_X_0)
 * old_Out_0 = assign(stale)                 # stale has LoD [0, 1, 3]
 * (Out: old_Out_0) = relu(X: i_X_0)         # the LoD of new_Out_0, or still that of stale?
 * }</pre>
 */
public final class LodRuns {

  private static final String STALE = "stale";
  private static final ImmutableList<ImmutableLongArray> STALE_LOD =
      ImmutableList.of(ImmutableLongArray.of(0, 1, 3));

  /**
   * Operators that read past the end of an input if it loses its LoD; such a run crashes sometimes.
   * The input keeps the LoD of its line in every run.
   */
  private static final ImmutableMap<String, String> KEEPS_LOD =
      ImmutableMap.of("row_conv", "X", "row_conv_grad", "X");

  private LodRuns() {}

  /** The results of the runs for one output slot. */
  public static final class Evidence {
    private int runs;
    private int keptOld;
    private final TreeSet<String> sources = new TreeSet<>();
    private boolean anyOffsets;
    private boolean anyWrongOffsets;

    /** The number of runs that set the output. */
    public int runs() {
      return runs;
    }

    /** The number of these runs in which the LoD depended on the earlier LoD of the name. */
    public int keptOld() {
      return keptOld;
    }

    /**
     * Whether the runs confirm the offsets of the shape rule: a run with LoD in an input had these
     * offsets, and no run had others.
     */
    public boolean confirmsOffsets() {
      return anyOffsets && !anyWrongOffsets;
    }

    private void addOffsets(boolean isRight) {
      anyOffsets = true;
      anyWrongOffsets |= !isRight;
    }

    /** The input slots by which the output got LoD; {@code none} if no input had any. */
    public Set<String> sources() {
      return sources;
    }
  }

  private record Trial(OracleCase call, String source, boolean isAsWritten) {

    private String name() {
      return call + " with LoD in " + source;
    }
  }

  /**
   * The answers of the runtime.
   *
   * @param evidence by operator and output slot, such as {@code relu Out}
   * @param refused the calls that do not run although they are as in their lines, with the reason
   * @param notRun the calls that do not run with LoD in an input whose line has none there
   * @param wrongShapes what shape rules say of outputs and their LoD that is not so
   */
  public record Answers(
      SortedMap<String, Evidence> evidence,
      ImmutableList<String> refused,
      ImmutableSet<String> notRun,
      ImmutableList<String> wrongShapes) {}

  /**
   * Asks about calls. The runtime may refuse LoD in inputs whose line has none there.
   *
   * @param left such calls that are not asked, as {@code notRun} of earlier answers names them
   */
  public static Answers ask(List<OracleCase> calls, ImmutableSet<String> left) {
    List<Trial> trials = new ArrayList<>();
    calls.forEach(call -> addTrials(call, trials));
    trials.removeIf(trial -> !trial.isAsWritten && left.contains(trial.name()));
    ImmutableList<PaddleBatch.Result> results =
        JoinedBatch.trace(trials.stream().map(LodRuns::item).toList());
    SortedMap<String, Evidence> evidence = new TreeMap<>();
    ImmutableList.Builder<String> refused = ImmutableList.builder();
    ImmutableSet.Builder<String> notRun = ImmutableSet.builder();
    ImmutableList.Builder<String> wrongShapes = ImmutableList.builder();
    for (int i = 0; i < trials.size(); i++) {
      Trial trial = trials.get(i);
      if (results.get(i).failure().isEmpty()) {
        take(trial, results.get(i).trace(), evidence, wrongShapes);
      } else if (trial.isAsWritten) {
        refused.add(trial.call + ": " + results.get(i).failure());
      } else {
        notRun.add(trial.name());
      }
    }
    return new Answers(evidence, refused.build(), notRun.build(), wrongShapes.build());
  }

  private static void addTrials(OracleCase call, List<Trial> trials) {
    List<String> withLod = new ArrayList<>();
    call.inputs()
        .asMap()
        .forEach(
            (slot, tensors) -> {
              if (tensors.stream().anyMatch(tensor -> !tensor.lod().isEmpty())) {
                withLod.add(slot);
              }
            });
    trials.add(new Trial(call, withLod.isEmpty() ? "none" : String.join("+", withLod), true));
    String keeps = KEEPS_LOD.getOrDefault(call.type(), "");
    boolean isKept = withLod.contains(keeps);
    if (!withLod.isEmpty() && !isKept) {
      trials.add(new Trial(withLodIn(call, ""), "none", false));
    }
    for (String slot : call.inputs().keySet()) {
      Tensor first = call.inputs().get(slot).get(0).tensor();
      if (first.rank() > 0 && first.shape().get(0) > 0) {
        String source = isKept && !slot.equals(keeps) ? keeps + "+" + slot : slot;
        trials.add(new Trial(withLodIn(call, slot), source, false));
      }
    }
  }

  /** The call with LoD in the first argument of one slot, and else only where it keeps its LoD. */
  private static OracleCase withLodIn(OracleCase call, String wanted) {
    String keeps = KEEPS_LOD.getOrDefault(call.type(), "");
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    for (String slot : call.inputs().keySet()) {
      ImmutableList<LodTensor> tensors = call.inputs().get(slot);
      for (int i = 0; i < tensors.size(); i++) {
        LodTensor tensor = tensors.get(i);
        if (slot.equals(wanted) && i == 0) {
          inputs.put(slot, withLod(tensor));
        } else {
          inputs.put(slot, slot.equals(keeps) ? tensor : LodTensor.of(tensor.tensor()));
        }
      }
    }
    return call.withInputs(inputs.build());
  }

  /** The tensor with its own LoD, or else with one of two sequences. */
  private static LodTensor withLod(LodTensor tensor) {
    if (!tensor.lod().isEmpty()) {
      return tensor;
    }
    long rows = tensor.tensor().shape().get(0);
    ImmutableLongArray offsets =
        rows == 1 ? ImmutableLongArray.of(0, 1) : ImmutableLongArray.of(0, rows / 2, rows);
    return new LodTensor(tensor.tensor(), ImmutableList.of(offsets));
  }

  private static PaddleBatch.Item item(Trial trial) {
    List<String> lines = new ArrayList<>();
    lines.add("version 2003002");
    lines.add("block 0");
    lines.add("feed " + PaddleBatch.FEED + ": fp32[1] check_feed");
    lines.addAll(trial.call.inputDeclarations(""));
    lines.add("var " + STALE + ": fp32[3,2] persistable");
    Map<String, LodTensor> parameters = new LinkedHashMap<>();
    parameters.put(
        STALE, new LodTensor(Tensor.of(ImmutableLongArray.of(3, 2), new float[6]), STALE_LOD));
    for (String slot : trial.call.inputs().keySet()) {
      ImmutableList<LodTensor> arguments = trial.call.inputs().get(slot);
      for (int i = 0; i < arguments.size(); i++) {
        parameters.put(OracleCase.inputName("", slot, i), arguments.get(i));
      }
    }
    for (String prefix : List.of("new_", "old_")) {
      for (OracleCase.Output output : trial.call.outputs()) {
        for (int i = 0; i < output.count() && output.variableOf().isEmpty(); i++) {
          String name = OracleCase.outputName(prefix, output, i);
          lines.add("var " + name + ": tensor");
          if (prefix.equals("old_")) {
            lines.add(name + " = assign(" + STALE + ")");
          }
        }
      }
      lines.add(trial.call.operator(prefix).replace(prefix + "i_", "i_"));
    }
    return new PaddleBatch.Item(
        ProgramText.parseMessage(lines.toArray(new String[0])), ImmutableMap.copyOf(parameters));
  }

  private static void take(
      Trial trial,
      List<String> trace,
      SortedMap<String, Evidence> evidence,
      ImmutableList.Builder<String> wrongShapes) {
    List<OperatorTrace> entries = new ArrayList<>();
    for (String line : trace) {
      OperatorTrace entry = OperatorTrace.parse(line);
      if (entry.type().equals(trial.call.type())) {
        entries.add(entry);
      }
    }
    if (entries.size() < 4) {
      return;
    }
    OperatorTrace fresh = entries.get(1); // the first one is from before the call
    OperatorTrace stale = entries.get(entries.size() - 1);
    ShapeRuleCheck believed = ShapeRuleCheck.of(trial.call);
    ShapeRuleCheck rule = ShapeRuleCheck.ofRule(trial.call);
    boolean hasLod = trial.call.inputs().values().stream().anyMatch(each -> !each.lod().isEmpty());
    for (OracleCase.Output output : trial.call.outputs()) {
      if (!output.variableOf().isEmpty()) {
        continue;
      }
      List<ObservedTensor> before = tensors(fresh, output.slot());
      List<ObservedTensor> after = tensors(stale, output.slot());
      if (before.isEmpty() || before.size() != after.size()) {
        continue;
      }
      Evidence found =
          evidence.computeIfAbsent(trial.call.type() + " " + output.slot(), key -> new Evidence());
      for (int i = 0; i < before.size(); i++) {
        found.runs++;
        if (!before.get(i).lod().equals(after.get(i).lod())) {
          found.keptOld++;
        }
        if (!before.get(i).lod().isEmpty()) {
          found.sources.add(trial.source);
        }
        ObservedTensor tensor = before.get(i);
        String difference = believed.difference(output.slot(), i, tensor.dims(), tensor.lod());
        if (tensor.hasMemory() && !difference.isEmpty()) {
          wrongShapes.add(output.slot() + " of " + trial.name() + ": " + difference);
        }
        if (hasLod && rule.statesOffsets(output.slot(), i)) {
          found.addOffsets(
              rule.difference(output.slot(), i, tensor.dims(), tensor.lod()).isEmpty());
        }
      }
    }
  }

  private static List<ObservedTensor> tensors(OperatorTrace entry, String slot) {
    List<ObservedTensor> tensors = new ArrayList<>();
    for (OperatorTrace.Argument argument : entry.outputs().get(slot)) {
      argument.tensor().ifPresent(tensors::add);
    }
    return tensors;
  }
}
