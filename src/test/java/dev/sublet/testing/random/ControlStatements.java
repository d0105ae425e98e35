package dev.sublet.testing.random;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Adds random loops, branches and recurrent networks to a block, nested up to depth {@value
 * #MAX_DEPTH}, with slots computed as Paddle's front end does.
 */
final class ControlStatements {

  private static final int MAX_DEPTH = 3;

  private static final String STEP = "fp32[4]";
  private static final String STEPS = "fp32[4,4]";

  private final ProgramDraft draft;
  private final DataStatements data;
  private final TypedStatements typed;
  private final boolean training;
  private int budget;

  /**
   * Statements for one program.
   *
   * @param training whether loops keep their scopes for a gradient
   * @param budget how many statements there may be in all
   */
  ControlStatements(ProgramDraft draft, boolean training, int budget) {
    this.draft = draft;
    this.data = new DataStatements(draft);
    this.typed = new TypedStatements(draft);
    this.training = training;
    this.budget = budget;
  }

  /** Adds statements until a share of the budget is used up. */
  void addStatements(BlockDraft block, int share) {
    for (int left = Math.min(share, budget); left > 0 && budget > 0; left--) {
      budget--;
      if (block.depth() == MAX_DEPTH || draft.chance(78)) {
        data.add(block);
      } else {
        addControl(block, draft.number(100));
      }
    }
  }

  private void addControl(BlockDraft block, int choice) {
    if (choice < 38) {
      addWhile(block);
    } else if (choice < 62) {
      addConditional(block);
    } else if (choice < 86) {
      addExclusiveBranches(block);
    } else if (choice < 93) {
      addUnknownRunner(block);
    } else {
      addRecurrent(block);
    }
  }

  private int innerShare() {
    return draft.number(7);
  }

  void addWhile(BlockDraft block) {
    String counter = draft.reserve(block, "counter", "int64[1]");
    String limit = draft.reserve(block, "limit", "int64[1]");
    String condition = draft.reserve(block, "go", "bool[1]");
    block.add(new OperationDraft("fill_constant").out("Out", counter));
    block.add(new OperationDraft("fill_constant").out("Out", limit));
    block.add(compare(counter, limit, condition));
    boolean keepsScopes = training || draft.chance(10);
    BlockDraft body = draft.addBlock(block, null);
    addStatements(body, innerShare());
    if (!keepsScopes && draft.chance(30)) {
      addGuardedLocal(body, counter);
    }
    if (draft.chance(80)) {
      addCarries(body);
    }
    addStep(body, counter, limit, condition);
    if (!keepsScopes && draft.chance(35)) {
      addCopy(body, counter, limit, condition);
    }
    OperationDraft loop = new OperationDraft("while").in("Condition", condition);
    Set<String> inputs = body.readFirst();
    if (draft.chance(80)) {
      inputs.addAll(body.writtenOutside());
    }
    inputs.remove(condition);
    loop.in("X", withOneMissing(inputs));
    loop.out("Out", withOneMissing(body.writtenOutside()));
    loop.out("StepScopes", draft.reserve(block, "scopes", "step_scopes"));
    loop.block(body.index());
    block.add(keepsScopes ? loop : loop.flag("is_test"), /* definesOutputs= */ false);
  }

  private void addStep(BlockDraft body, String counter, String limit, String condition) {
    body.add(new OperationDraft("increment").in("X", counter).out("Out", counter));
    body.add(compare(counter, limit, condition));
  }

  /** What follows in an unrolled loop: one more iteration, if there is one, and perhaps more. */
  private void addCopy(BlockDraft body, String counter, String limit, String condition) {
    BlockDraft copy = draft.addBlock(body, null);
    addStatements(copy, 1 + innerShare());
    if (draft.chance(80)) {
      addCarries(copy);
    }
    addStep(copy, counter, limit, condition);
    if (copy.depth() < MAX_DEPTH && draft.chance(50)) {
      addCopy(copy, counter, limit, condition);
    }
    addBranchOperator(body, copy, condition);
  }

  private OperationDraft compare(String left, String right, String output) {
    OperationDraft compare =
        new OperationDraft("less_than").in("X", left).in("Y", right).out("Out", output);
    return draft.chance(50) ? compare.flag("force_cpu") : compare;
  }

  /** Old files do not list all inputs and outputs; what is trained is complete. */
  private List<String> withOneMissing(Set<String> names) {
    List<String> list = new ArrayList<>(names);
    if (!training && list.size() > 1 && draft.chance(10)) {
      list.remove(draft.number(list.size()));
    }
    return list;
  }

  /** Copies of local variables to outer ones at the end of a body. */
  private void addCarries(BlockDraft body) {
    for (int i = 0; i < 1 + draft.number(3); i++) {
      String source = draft.readable(body);
      String other = draft.readable(body);
      String target = draft.outerWritable(body);
      if (!target.isEmpty()) {
        String local = draft.fresh(body, "next", body.typeOf(target));
        if (draft.isTyped()) {
          typed.derive(body, source, local);
        } else {
          body.add(
              new OperationDraft("matmul_v2").in("X", source).in("Y", other).out("Out", local));
        }
        body.add(new OperationDraft("assign").in("X", local).out("Out", target));
      }
    }
  }

  /**
   * A local of a loop's body that only some iterations write and the others find as it was. It may
   * be undefined at first, so what is computed from it goes nowhere but to an output.
   */
  private void addGuardedLocal(BlockDraft body, String counter) {
    String local = draft.reserve(body, "guarded", draft.dataType());
    String condition = draft.reserve(body, "guard", "bool[1]");
    body.add(compare(counter, counter, condition));
    BlockDraft branch = draft.addBlock(body, null);
    String source = draft.readable(branch);
    if (draft.isTyped()) {
      typed.derive(branch, source, local);
    } else {
      branch.add(new OperationDraft("matmul_v2").in("X", source).out("Out", local));
    }
    addBranchOperator(body, branch, condition);
    String type = draft.isTyped() ? ProgramDraft.type(body, local) : "fp32[8]";
    String probe = draft.reserve(draft.block(0), RandomPrograms.PROBE, type);
    body.add(
        new OperationDraft(draft.isTyped() ? "tanh" : "matmul_v2").in("X", local).out("Out", probe),
        /* definesOutputs= */ false);
  }

  void addConditional(BlockDraft block) {
    String condition = addCondition(block);
    BlockDraft body = draft.addBlock(block, null);
    addStatements(body, 1 + innerShare());
    if (draft.chance(80)) {
      addCarries(body);
    }
    addBranchOperator(block, body, condition);
  }

  private String addCondition(BlockDraft block) {
    String condition = draft.reserve(block, "if", "bool[1]");
    if (draft.isTyped()) {
      typed.addCondition(block, condition, draft.chance(50));
      return condition;
    }
    block.add(compare(draft.readable(block), draft.readable(block), condition));
    return condition;
  }

  private void addBranchOperator(BlockDraft block, BlockDraft body, String condition) {
    boolean infer = !training && draft.chance(20);
    block.add(
        new OperationDraft(infer ? "conditional_block_infer" : "conditional_block")
            .in("Cond", condition)
            .in("Input", withOneMissing(body.readFirst()))
            .out("Out", withOneMissing(body.writtenOutside()))
            .out("Scope", draft.reserve(block, "scope", "step_scopes"))
            .block(body.index())
            .flag("is_scalar_condition"),
        /* definesOutputs= */ false);
  }

  /** What exporters write for if/else. Sometimes the results have a meaning outside the pair. */
  void addExclusiveBranches(BlockDraft block) {
    String condition = addCondition(block);
    String negation = draft.reserve(block, "else", "bool[1]");
    String mask = draft.reserve(block, "mask", "int32[1]");
    boolean masksNegation = draft.chance(20);
    boolean exclusive = draft.chance(75);
    int count = 1 + draft.number(2);
    List<String> types = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      types.add(draft.dataType());
    }
    List<String> whenTrue = results(block, types, exclusive);
    List<String> whenFalse = results(block, types, exclusive);
    boolean negateFirst = draft.chance(50);
    OperationDraft not = new OperationDraft("logical_not").in("X", condition).out("Out", negation);
    if (negateFirst) {
      block.add(not);
    }
    addResultBranch(block, condition, whenTrue);
    if (draft.chance(40)) {
      data.add(block);
    }
    if (!negateFirst) {
      block.add(not);
    }
    addResultBranch(block, negation, whenFalse);
    String masked = masksNegation ? negation : condition;
    block.add(new OperationDraft("cast").in("X", masked).out("Out", mask));
    for (int i = 0; i < count; i++) {
      String zero = masksNegation ? whenTrue.get(i) : whenFalse.get(i);
      String one = masksNegation ? whenFalse.get(i) : whenTrue.get(i);
      block.add(
          new OperationDraft("select_input")
              .in("X", zero, one)
              .in("Mask", mask)
              .out("Out", draft.writable(block, types.get(i))));
    }
    for (int i = 0; i < count && !exclusive; i++) {
      draft.release(whenTrue.get(i));
      draft.release(whenFalse.get(i));
    }
  }

  private List<String> results(BlockDraft block, List<String> types, boolean exclusive) {
    List<String> names = new ArrayList<>();
    for (String type : types) {
      BlockDraft home = exclusive && draft.chance(15) ? draft.block(0) : block;
      String name = draft.reserve(home, "result", type);
      if (!exclusive) {
        block.add(new OperationDraft("fill_constant").out("Out", name));
      }
      names.add(name);
    }
    return names;
  }

  private void addResultBranch(BlockDraft block, String condition, List<String> results) {
    BlockDraft body = draft.addBlock(block, null);
    addStatements(body, draft.number(4));
    for (String result : results) {
      String source = draft.readable(body);
      if (draft.isTyped()) {
        typed.derive(body, source, result);
        continue;
      }
      boolean same = body.typeOf(source).equals(body.typeOf(result));
      String type = !same ? "matmul_v2" : draft.chance(50) ? "relu" : "assign";
      body.add(new OperationDraft(type).in("X", source).out("Out", result));
    }
    addBranchOperator(block, body, condition);
  }

  /** An operator with a block of which nothing is known. */
  private void addUnknownRunner(BlockDraft block) {
    BlockDraft body = draft.addBlock(block, null);
    addStatements(body, 1 + innerShare());
    List<String> inputs = new ArrayList<>(body.readFirst());
    inputs.removeIf(name -> !block.isDefined(name));
    block.add(
        new OperationDraft("mystery_runner")
            .in("X", inputs)
            .out("Out", body.writtenOutside())
            .block(body.index()),
        /* definesOutputs= */ false);
  }

  /** Four steps of four elements each. */
  private String sequence(BlockDraft block) {
    String sequence = draft.fresh(block, "sequence", STEPS);
    typed.derive(block, draft.readable(block), sequence);
    return sequence;
  }

  private String initialState(BlockDraft block) {
    String state = draft.fresh(block, "initial", STEP);
    typed.derive(block, draft.readable(block), state);
    return state;
  }

  private void addRecurrent(BlockDraft block) {
    String input = draft.isTyped() ? sequence(block) : draft.readable(block);
    String initial = draft.isTyped() ? initialState(block) : draft.readable(block);
    BlockDraft body = draft.addBlock(block, null);
    if (!body.declares(input)) {
      body.declare(input, draft.isTyped() ? STEP : ProgramDraft.type(block, input));
    }
    body.define(input);
    String type = ProgramDraft.type(block, initial);
    String previous = draft.reserve(body, "previous", type);
    body.define(previous);
    addStatements(body, draft.number(3));
    String state = draft.reserve(body, "state", type);
    body.add(
        new OperationDraft("elementwise_add")
            .in("X", previous)
            .in("Y", draft.isTyped() ? input : draft.readable(body))
            .out("Out", state));
    String output = draft.reserve(block, "steps", draft.isTyped() ? STEPS : type);
    body.declare(output, type);
    body.add(new OperationDraft("relu").in("X", state).out("Out", output));
    Set<String> parameters = new LinkedHashSet<>(body.readFirst());
    parameters.remove(input);
    block.add(
        new OperationDraft("recurrent")
            .in("inputs", input)
            .in("initial_states", initial)
            .in("parameters", parameters)
            .out("outputs", output)
            .out("step_scopes", draft.reserve(block, "scopes", "step_scopes"))
            .block(body.index())
            .flag("has_states")
            .names("ex_states", ImmutableList.of(previous))
            .names("states", ImmutableList.of(state)));
  }
}
