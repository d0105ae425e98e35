package dev.sublet.verify.fusion;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.Location;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Checks that a rewritten program still equals its original after Paddle's default graph passes.
 *
 * <pre>
 *   c = conv2d(x)   y = batch_norm(c)   c = conv2d(z)   s = elementwise_add(y, c)
 *   a violation: a pass makes an elementwise_add of the batch_norm that runs just before s; by then
 *   c is overwritten
 * </pre>
 *
 * <p>Two rules. In every order to which the passes can lead, each read of a name finds the value
 * that it finds in the written order. And the declared shapes that passes read are those of the
 * original, as far as they are read.
 *
 * <p>O(arguments × nesting). Not checked: whether the two programs are equal without passes; that
 * is for {@code RewriteValidator}. Blocks inside others are not touched by the passes of Paddle
 * 2.3.
 */
public final class FusionValidator {

  private final Program program;
  private final PassPaths paths;
  private final int[] before;

  /** By operator that moves: when it, or after a dropout its last reader, has read its inputs. */
  private final long[] lastReads;

  /**
   * By variable: the last time at which the name is used. Operator i runs at time 2i + 1; one that
   * a pass puts in immediately before it, at time 2i.
   */
  private final long[] lastUse;

  private final int[] lastUser;
  private final Violations violations = new Violations();

  private FusionValidator(Program program) {
    this.program = program;
    this.paths = PassPaths.of(program);
    this.before = paths.before();
    this.lastReads = lastReads();
    this.lastUse = new long[program.variableCount()];
    this.lastUser = new int[program.variableCount()];
    Arrays.fill(lastUse, -1);
  }

  /** Checks both rules; the rule of order only if the original keeps it. */
  public static ValidationResult validate(Program original, Program rewritten) {
    FusionValidator before = new FusionValidator(original);
    FusionValidator after = new FusionValidator(rewritten);
    after.checkShapes(before.shapes());
    if (PassPaths.isForOneModel(original)) {
      after.checkNames(original);
    }
    before.checkOrder();
    if (before.violations.isEmpty()) {
      after.checkOrder();
    }
    return after.violations.result();
  }

  /** Checks that all operators have the original's arguments, because a pass may do anything. */
  private void checkNames(Program original) {
    ImmutableList<Operation> expected = original.block(0).operations();
    ImmutableList<Operation> actual = program.block(0).operations();
    boolean isSame = actual.size() == expected.size();
    for (int op = 0; op < actual.size() && isSame; op++) {
      isSame = names(program, actual.get(op)).equals(names(original, expected.get(op)));
    }
    if (!isSame) {
      violations.add(
          Location.block(0),
          "attention_lstm_fuse takes the program for its model, so no name may be changed");
    }
  }

  private static List<String> names(Program program, Operation operation) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      names.add(operation.input(i) < 0 ? "" : program.variable(operation.input(i)).name());
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      names.add(operation.output(i) < 0 ? "" : program.variable(operation.output(i)).name());
    }
    return names;
  }

  private void checkOrder() {
    List<Operation> operations = program.block(0).operations();
    for (int op = 0; op < operations.size(); op++) {
      List<Integer> inside = new ArrayList<>();
      addInside(operations.get(op), inside);
      for (int variable : inside) {
        checkWrite(op, variable, 2L * op + 1);
      }
      checkOutputs(op);
      addInputs(op);
      for (int variable : inside) {
        use(op, variable, 2L * op + 1);
      }
      for (int i = 0; i < operations.get(op).outputCount(); i++) {
        // The readers of a result use its name later than the operator itself.
        int variable = operations.get(op).output(i);
        boolean isLate = paths.moves.get(op) && paths.writesLate(op, i);
        use(op, variable, isLate ? 2L * before[op] : 2L * op + 1);
      }
    }
  }

  private void addInputs(int op) {
    Operation operation = program.block(0).operations().get(op);
    for (int i = 0; i < operation.inputCount(); i++) {
      // If the operator writes to the same name, the readers of its result use the name as long.
      boolean isLater =
          paths.moves.get(op)
              && !paths.isVanishing(op, i)
              && operation.countOutputs(operation.input(i)) == 0;
      use(op, operation.input(i), isLater ? lastReads[op] : 2L * op + 1);
    }
  }

  private long[] lastReads() {
    long[] last = new long[before.length];
    for (int op = before.length - 1; op >= 0; op--) {
      last[op] = 2L * before[op];
      for (int reader : paths.isDropout(op) ? paths.readers(op) : List.<Integer>of()) {
        last[op] = Math.max(last[op], paths.moves.get(reader) ? last[reader] : 2L * reader + 1);
      }
    }
    return last;
  }

  private void use(int op, int variable, long time) {
    if (variable >= 0 && time > lastUse[variable]) {
      lastUse[variable] = time;
      lastUser[variable] = op;
    }
  }

  private void checkOutputs(int op) {
    Operation operation = program.block(0).operations().get(op);
    long time = 2L * paths.writesAt[op] + (paths.moves.get(paths.writesAt[op]) ? 0 : 1);
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      if (variable >= 0 && !isForwarded(op, variable)) {
        checkWrite(op, variable, time);
        if (paths.moves.get(op) && !mayOverwrite(op, variable)) {
          violations.add(
              operation,
              program.variable(variable),
              "is computed in place by an operator that a graph pass may replace");
        }
      }
    }
  }

  /**
   * Whether a result that is written early has the name of the value that it is computed from,
   * which then disappears.
   */
  private boolean isForwarded(int op, int variable) {
    Operation operation = program.block(0).operations().get(op);
    for (int i = 0; i < operation.inputCount(); i++) {
      if (paths.writesAt[op] < op
          && operation.input(i) == variable
          && paths.source(op, i) == paths.writesAt[op]
          && (paths.isVanishing(op, i) || paths.isDropout(op))) {
        return true;
      }
    }
    return false;
  }

  private boolean mayOverwrite(int op, int variable) {
    Operation operation = program.block(0).operations().get(op);
    boolean isSafe = operation.type().equals("batch_norm") || operation.type().equals("dropout");
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) == variable && !isSafe && !paths.isVanishing(op, i)) {
        return false;
      }
    }
    return true;
  }

  private void checkWrite(int op, int variable, long time) {
    if (lastUse[variable] > time && !program.variable(variable).isPersistable()) {
      Operation other = program.block(0).operations().get(lastUser[variable]);
      violations.add(
          program.block(0).operations().get(op),
          program.variable(variable),
          "is overwritten here, but a graph pass may move op "
              + other.index()
              + " ("
              + other.type()
              + "), which uses the name, to a later place");
    }
  }

  /** Adds the variables of the first block that the blocks inside an operator use. */
  private void addInside(Operation operation, List<Integer> variables) {
    for (int block : operation.blocks()) {
      Block inner = program.block(block);
      for (Operation each : inner.operations()) {
        for (int i = 0; i < each.inputCount(); i++) {
          addOuter(each.input(i), variables);
        }
        for (int i = 0; i < each.outputCount(); i++) {
          addOuter(each.output(i), variables);
        }
        for (AttributeReference reference : program.attributeReferences(each)) {
          addOuter(reference.variable(), variables);
        }
        addInside(each, variables);
      }
    }
  }

  private void addOuter(int variable, List<Integer> variables) {
    if (variable >= 0 && program.variable(variable).block() == 0) {
      variables.add(variable);
    }
  }

  /** One declared shape that a pass reads. */
  private record ReadShape(Operation operation, Variable variable, boolean isRankEnough) {

    ImmutableLongArray dims() {
      return variable.tensorType().orElseThrow().dims();
    }
  }

  private void checkShapes(ImmutableList<ReadShape> expected) {
    ImmutableList<ReadShape> actual = shapes();
    if (expected.size() != actual.size()) {
      violations.add(
          Location.nowhere(),
          "graph passes read " + actual.size() + " declared shapes instead of " + expected.size());
      return;
    }
    for (int i = 0; i < actual.size(); i++) {
      ReadShape now = actual.get(i);
      ReadShape was = expected.get(i);
      boolean isSame =
          now.isRankEnough()
              ? now.dims().length() == was.dims().length()
              : now.dims().equals(was.dims());
      if (!isSame) {
        violations.add(
            now.operation(),
            now.variable(),
            "is declared "
                + now.dims()
                + ", but graph passes read the declaration, which was "
                + was.dims());
      }
    }
  }

  /** The declared shapes that passes read, in the order of the operators. */
  private ImmutableList<ReadShape> shapes() {
    ImmutableList.Builder<ReadShape> shapes = ImmutableList.builder();
    List<Operation> operations = program.block(0).operations();
    BitSet ranksDone = new BitSet();
    BitSet allDone = new BitSet();
    for (int op = 0; op < operations.size(); op++) {
      boolean all = paths.shapeReaders.get(op);
      if (all || paths.rankReaders.get(op)) {
        BitSet done = all ? allDone : ranksDone;
        addShapes(op, "X", !all, done, shapes);
        if (operations.get(op).type().equals("matmul_v2")) {
          addShapes(op, "Y", !all, done, shapes);
        }
      }
    }
    return shapes.build();
  }

  /**
   * Adds the shape of an argument, and of the values that the removal of dropouts puts there, but
   * for the dropouts that are done.
   */
  private void addShapes(
      int first,
      String slot,
      boolean isRankEnough,
      BitSet done,
      ImmutableList.Builder<ReadShape> shapes) {
    Operation operation = program.block(0).operations().get(first);
    int argument = operation.firstInput(slot);
    int op = first;
    while (argument >= 0 && operation.input(argument) >= 0) {
      Variable variable = program.variable(operation.input(argument));
      if (variable.tensorType().isPresent()) {
        shapes.add(new ReadShape(operation, variable, isRankEnough));
      }
      op = paths.source(op, argument);
      if (!paths.isDropout(op) || done.get(op)) {
        return;
      }
      done.set(op);
      operation = program.block(0).operations().get(op);
      argument = operation.firstInput("X");
    }
  }
}
