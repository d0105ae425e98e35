package dev.sublet.paddle.oracle;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Lists;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.paddle.oracle.FactResult.Judgement;
import dev.sublet.paddle.oracle.FactResult.Question;
import dev.sublet.paddle.runtime.JoinedBatch;
import dev.sublet.paddle.runtime.ObservedTensor;
import dev.sublet.paddle.runtime.OperatorTrace;
import dev.sublet.paddle.runtime.OracleTensors;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Asks the real Paddle whether what the catalog says of operators is true: its in-place pairs, the
 * outputs that are written entirely, their shapes, and the inputs of which only the shape is read.
 *
 * <p>Each call first runs as it is; its outputs' types and shapes come from the log. Then a second
 * program calls the operator again for each question, beside a plain call, and the bits of all
 * outputs are compared. A question whose program does not run is asked again by itself.
 */
public final class OperatorFacts {

  /** Not a number, minus one, true. */
  private static final byte ALL_ONES = (byte) 0xff;

  private static final int CASES_AT_A_TIME = 5000;

  private final FactCase factCase;
  private final OperatorSpec spec;

  /** What the outputs were in the plain run, by {@code slot_argument}. */
  private final Map<String, ObservedTensor> observed = new HashMap<>();

  private final List<Asked> questions = new ArrayList<>();

  /** The output slots of which an old value may remain. */
  private ImmutableSet<String> mayWrite = ImmutableSet.of();

  private String refusal = "";
  private final List<Judgement> judgements = new ArrayList<>();

  /** One question, about slots, a pair or the whole call, and the branch that asks it. */
  private record Asked(
      Question question,
      ImmutableList<String> subjects,
      boolean believed,
      Consumer<FactProgram> branch) {

    private Asked(
        Question question, String subject, boolean believed, Consumer<FactProgram> branch) {
      this(question, ImmutableList.of(subject), believed, branch);
    }

    private void judge(String failure, List<Judgement> judgements) {
      for (String subject : subjects) {
        judgements.add(new Judgement(question, subject, believed, failure));
      }
    }
  }

  private OperatorFacts(FactCase factCase) {
    this.factCase = factCase;
    this.spec = OperatorCatalog.standard().lookup(factCase.call().type());
  }

  /**
   * Judges calls; the results are in their order.
   *
   * @param left questions that are not asked unless the catalog says yes, as {@link
   *     FactResult#notRun} names them
   */
  public static ImmutableList<FactResult> judge(List<FactCase> cases, ImmutableSet<String> left) {
    ImmutableList.Builder<FactResult> results = ImmutableList.builder();
    // Logs and programs of all at a time would need gigabytes.
    for (List<FactCase> part : Lists.partition(cases, CASES_AT_A_TIME)) {
      results.addAll(judgePart(part, left));
    }
    return results.build();
  }

  private static ImmutableList<FactResult> judgePart(
      List<FactCase> cases, ImmutableSet<String> left) {
    ImmutableList<OperatorFacts> all =
        cases.stream().map(OperatorFacts::new).collect(toImmutableList());
    observeAll(all);
    ask(all.stream().filter(facts -> facts.refusal.isEmpty()).toList(), left);
    return all.stream()
        .map(
            facts ->
                new FactResult(
                    facts.factCase, facts.refusal, ImmutableList.copyOf(facts.judgements)))
        .collect(toImmutableList());
  }

  private static void observeAll(List<OperatorFacts> all) {
    List<PaddleBatch.Item> items = new ArrayList<>();
    for (OperatorFacts facts : all) {
      FactProgram program = new FactProgram(facts.factCase, ImmutableMap.of(), ImmutableSet.of());
      program.addPlain();
      items.add(program.toItem());
    }
    ImmutableList<PaddleBatch.Result> results = JoinedBatch.trace(items);
    for (int i = 0; i < results.size(); i++) {
      all.get(i).refusal = results.get(i).failure();
      all.get(i).observe(results.get(i).trace());
    }
  }

  /** The last line about the operator says how it left its outputs. */
  private void observe(List<String> trace) {
    for (String line : trace) {
      OperatorTrace entry = OperatorTrace.parse(line);
      if (entry.type().equals(factCase.call().type())) {
        entry
            .outputs()
            .asMap()
            .forEach(
                (slot, arguments) -> {
                  int i = 0;
                  for (OperatorTrace.Argument argument : arguments) {
                    String key = slot + "_" + i++;
                    argument
                        .tensor()
                        .filter(tensor -> tensor.dims().stream().allMatch(dim -> dim >= 0))
                        .ifPresent(tensor -> observed.put(key, tensor));
                  }
                });
      }
    }
  }

  private static void ask(List<OperatorFacts> all, ImmutableSet<String> left) {
    all.parallelStream().forEach(facts -> facts.collectQuestions(left));
    List<FactProgram> programs =
        all.parallelStream().map(facts -> facts.program(facts.questions)).toList();
    ImmutableList<PaddleBatch.Result> results =
        JoinedBatch.run(programs.parallelStream().map(FactProgram::toItem).toList());
    List<OperatorFacts> again = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i).failure().isEmpty()) {
        all.get(i).compare(all.get(i).questions, programs.get(i), results.get(i).outputs());
      } else {
        again.add(all.get(i));
      }
    }
    askOneByOne(again);
  }

  private static void askOneByOne(List<OperatorFacts> all) {
    List<PaddleBatch.Item> items = new ArrayList<>();
    List<FactProgram> programs = new ArrayList<>();
    for (OperatorFacts facts : all) {
      for (Asked asked : facts.questions) {
        FactProgram program = facts.program(List.of(asked));
        programs.add(program);
        items.add(program.toItem());
      }
    }
    ImmutableList<PaddleBatch.Result> results = JoinedBatch.run(items);
    int i = 0;
    for (OperatorFacts facts : all) {
      for (Asked asked : facts.questions) {
        PaddleBatch.Result result = results.get(i);
        if (result.failure().isEmpty()) {
          facts.compare(List.of(asked), programs.get(i), result.outputs());
        } else {
          asked.judge(FactResult.NOT_RUN + result.failure(), facts.judgements);
        }
        i++;
      }
    }
  }

  /** The plain branch, and one for each question. */
  private FactProgram program(List<Asked> some) {
    FactProgram program = new FactProgram(factCase, observed, mayWrite);
    program.addPlain();
    for (Asked asked : some) {
      asked.branch().accept(program);
    }
    return program;
  }

  /** The plain call and what the catalog's rules say of it. */
  private record Believed(Operation operation, Sizes sizes) {}

  /** The plain call in a program that declares what its outputs are. */
  private Believed believed() {
    FactProgram plain = new FactProgram(factCase, observed, ImmutableSet.of());
    plain.addPlain();
    Program program = Program.of(plain.toItem().program());
    OperatorCatalog catalog = OperatorCatalog.standard();
    Sizes sizes =
        ShapeInference.infer(
            program, catalog, LodCarriers.find(program, catalog), ShapeOptions.defaults());
    Operation call =
        program.block(0).operations().stream()
            .filter(operation -> operation.type().equals(factCase.call().type()))
            .findFirst()
            .orElseThrow();
    return new Believed(call, sizes);
  }

  private void collectQuestions(ImmutableSet<String> left) {
    questions.add(
        new Asked(Question.SAME_AGAIN, factCase.call().type(), true, FactProgram::addPlain));
    judgeShapes();
    Believed call = believed();
    mayWrite =
        factCase.ownOutputs().stream()
            .map(OracleCase.Output::slot)
            .filter(slot -> effect(slot, call) != Effect.MUST_WRITE)
            .collect(toImmutableSet());
    askPairs(call);
    askWholeWrites(call);
    askShapes();
    // Last: other branches must not have changed what this one looks at.
    questions.add(
        new Asked(Question.INPUTS_KEPT, factCase.call().type(), true, FactProgram::addInputs));
    questions.removeIf(
        asked ->
            !asked.believed
                && left.contains(FactResult.name(factCase, asked.question, asked.subjects.get(0))));
  }

  /** The plain run has shown the shapes of the outputs. */
  private void judgeShapes() {
    ShapeRuleCheck rule = ShapeRuleCheck.of(factCase.call());
    for (OracleCase.Output output : factCase.ownOutputs()) {
      for (int i = 0; i < output.count(); i++) {
        ObservedTensor tensor = observed.get(output.slot() + "_" + i);
        if (tensor != null && tensor.hasMemory()) {
          String failure = rule.difference(output.slot(), i, tensor.dims(), tensor.lod());
          judgements.add(new Judgement(Question.SHAPE, output.slot(), true, failure));
        }
      }
    }
  }

  private void askPairs(Believed call) {
    for (InPlacePair pair : spec.inPlacePairs()) {
      if (fits(pair)) {
        String subject = pair.input() + "->" + pair.output();
        boolean believed = call.sizes().areSame(call.operation(), pair);
        if (haveSameType(pair)) {
          questions.add(
              new Asked(
                  Question.ONE_NAME,
                  subject,
                  believed && pair.canShareName(call.operation()),
                  p -> p.addOneName(pair.input(), pair.output())));
        }
        questions.add(
            new Asked(
                Question.ONE_BUFFER,
                subject,
                believed,
                p -> p.addOneBuffer(pair.input(), pair.output())));
      }
    }
  }

  /** All outputs of a call hold poison at the same time. Asks once about larger poison. */
  private void askWholeWrites(Believed call) {
    ImmutableList.Builder<String> whole = ImmutableList.builder();
    for (OracleCase.Output output : factCase.ownOutputs()) {
      String slot = output.slot();
      if (observed.containsKey(slot + "_0")) {
        if (!mayWrite.contains(slot)) {
          whole.add(slot);
        }
      } else if (!mayWrite.contains(slot) && !isEmpty(slot, call)) {
        judgements.add(new Judgement(Question.WHOLE_WRITE, slot, true, "is not set at all"));
      }
    }
    ImmutableList<String> slots = whole.build();
    if (!slots.isEmpty()) {
      askWholeWrite(slots, FactProgram.FINITE, /* sameShape= */ true);
      askWholeWrite(slots, ALL_ONES, /* sameShape= */ true);
      askWholeWrite(slots, ALL_ONES, /* sameShape= */ false);
    }
  }

  /** Paddle need not allocate an output without elements, and there is nothing to keep. */
  private static boolean isEmpty(String slot, Believed call) {
    Operation operation = call.operation();
    AbstractShape shape = call.sizes().written(operation, operation.firstOutput(slot));
    return shape != null && shape.hasRank() && shape.dims().stream().anyMatch(d -> d.is(0));
  }

  private void askWholeWrite(ImmutableList<String> slots, byte pattern, boolean sameShape) {
    questions.add(
        new Asked(
            Question.WHOLE_WRITE, slots, true, p -> p.addPoisoned(slots, pattern, sameShape)));
  }

  private void askShapes() {
    for (String slot : factCase.call().inputs().keySet()) {
      if (spec.noNeedBuffer().contains(slot) && !isShared(slot)) {
        questions.add(
            new Asked(Question.SHAPE_ONLY, slot, true, p -> p.addWithoutValues(List.of(slot))));
      }
    }
  }

  private Effect effect(String slot, Believed call) {
    boolean mayBeEmpty = call.sizes().mayBeEmpty(call.operation());
    return spec.effects().on(slot, /* isArray= */ false, mayBeEmpty);
  }

  private boolean isShared(String slot) {
    return factCase.sameVariable().containsKey(slot) || factCase.sameVariable().containsValue(slot);
  }

  /** Whether the planner could take the pair here: both sides have as many bytes. */
  private boolean fits(InPlacePair pair) {
    ObservedTensor target = observed.get(pair.output() + "_0");
    if (!factCase.call().inputs().containsKey(pair.input())
        || isShared(pair.input())
        || target == null
        || target.type().isEmpty()
        || factCase.ownOutputs().stream().noneMatch(o -> o.slot().equals(pair.output()))) {
      return false;
    }
    LodTensor source = factCase.call().inputs().get(pair.input()).get(0);
    return source.tensor().length() == TensorData.elements(target.dims())
        && source.tensor().type().bytes() == target.type().get().bytes();
  }

  private boolean haveSameType(InPlacePair pair) {
    LodTensor source = factCase.call().inputs().get(pair.input()).get(0);
    ObservedTensor target = observed.get(pair.output() + "_0");
    return target != null
        && target.type().equals(Optional.of(OracleTensors.dataType(source.tensor().type())));
  }

  private void compare(List<Asked> some, FactProgram program, Map<String, TensorData> outputs) {
    for (int i = 0; i < some.size(); i++) {
      Asked asked = some.get(i);
      String failure =
          asked.question() == Question.INPUTS_KEPT
              ? compareInputs(program.fetched(i + 1), outputs)
              : compare(program.fetched(0), program.fetched(i + 1), outputs);
      if (asked.question() == Question.ONE_BUFFER && failure.isEmpty()) {
        String pair = asked.subjects().get(0);
        String output = pair.substring(pair.indexOf("->") + 2) + "_0";
        TensorData held = tensor(outputs, program.fetched(i + 1).get(FactProgram.SOURCE).get(0));
        TensorData written = tensor(outputs, program.fetched(0).get(output).get(0));
        failure = held.bytes().equals(written.bytes()) ? "" : "another buffer is taken";
      }
      asked.judge(failure, judgements);
    }
  }

  private static String compare(
      ListMultimap<String, String> expected,
      ListMultimap<String, String> actual,
      Map<String, TensorData> outputs) {
    for (String key : expected.keySet()) { // the plain branch has no other keys
      for (int i = 0; i < expected.get(key).size(); i++) {
        TensorData plain = tensor(outputs, expected.get(key).get(i));
        TensorData other = tensor(outputs, actual.get(key).get(i));
        if (!plain.equals(other)) {
          return key + " is " + show(other) + " instead of " + show(plain);
        }
      }
    }
    return "";
  }

  private String compareInputs(
      ListMultimap<String, String> fetched, Map<String, TensorData> outputs) {
    for (String slot : factCase.call().inputs().keySet()) {
      List<LodTensor> values = factCase.call().inputs().get(slot);
      for (int i = 0; i < values.size(); i++) {
        TensorData expected = OracleTensors.data(values.get(i));
        TensorData actual = tensor(outputs, fetched.get(slot + "_" + i).get(0));
        if (!spec.writtenInputs().contains(slot)
            && actual.type() == expected.type()
            && !actual.bytes().equals(expected.bytes())) {
          return slot + " is " + show(actual) + " instead of " + show(expected);
        }
      }
    }
    return "";
  }

  private static TensorData tensor(Map<String, TensorData> outputs, String name) {
    TensorData tensor = outputs.get(name);
    if (tensor == null) {
      throw new IllegalStateException("nothing was fetched from " + name);
    }
    return tensor;
  }

  private static String show(TensorData data) {
    String text =
        data.dims()
            + " "
            + (data.lod().isEmpty() ? "" : data.lod() + " ")
            + OracleTensors.tensor(data).tensor();
    return text.length() < 300 ? text : text.substring(0, 300) + "…";
  }
}
