package dev.sublet.verify.rewrite;

import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.Random;

/**
 * Runs a program on made-up values, independently of the validators' code. A value is a number; an
 * operator makes one number of those that it reads. Which way conditions go is the oracle's
 * decision, and so the same for two runs with the same seed. A loop on {@code e} runs while that
 * holds, any other one as often as the oracle says.
 */
final class ConcreteRun {

  /** The value of what was never written; whatever is computed from it is undefined too. */
  static final long UNDEFINED = 0;

  /** Where values are kept. */
  interface Memory {
    long read(int variable, int point);

    void write(int variable, int point, long value);

    /** The variable's scope begins. */
    void undefine(int variable);

    /** The operator is going to write the variable and may destroy it before it reads. */
    void clobber(Operation operation, int variable, int point);
  }

  private final Program program;
  private final Memory memory;
  private final Random oracle;
  private int node;
  private boolean condition;
  private boolean goesOn;
  private int comparisons;

  ConcreteRun(Program program, Memory memory, long seed) {
    this.program = program;
    this.memory = memory;
    this.oracle = new Random(seed);
  }

  void run() {
    memory.write(program.declared(0, "x"), 0, 17);
    block(program.block(0));
  }

  private void block(Block block) {
    for (Operation operation : block.operations()) {
      switch (operation.type()) {
        case "while" -> loop(operation);
        case "conditional_block" -> branch(operation);
        case "select_input" -> select(operation);
        default -> compute(operation);
      }
    }
  }

  private void loop(Operation operation) {
    Block body = program.block(operation.blocks().get(0));
    int head = node++;
    int exit = head + 1 + size(body);
    undefine(body);
    int count = isOnE(operation) ? Integer.MAX_VALUE : oracle.nextInt(4);
    for (int i = 0; i < count && (goesOn || !isOnE(operation)); i++) {
      memory.read(operation.input(0), 2 * head);
      node = head + 1;
      block(body);
    }
    memory.read(operation.input(0), 2 * head);
    node = exit + 1;
  }

  private void branch(Operation operation) {
    Block body = program.block(operation.blocks().get(0));
    int head = node++;
    int exit = head + 1 + size(body);
    undefine(body);
    memory.read(operation.input(0), 2 * head);
    boolean negated = program.variable(operation.input(0)).name().equals("n");
    boolean holds = isOnE(operation) ? goesOn : condition;
    boolean runs = operation.flag("is_scalar_condition") ? holds != negated : oracle.nextBoolean();
    if (runs) {
      block(body);
    }
    node = exit + 1;
  }

  private boolean isOnE(Operation operation) {
    return program.variable(operation.input(0)).name().equals("e");
  }

  private int size(Block body) {
    int size = 0;
    for (Operation operation : body.operations()) {
      size++;
      if (!operation.blocks().isEmpty()) {
        size += 1 + size(program.block(operation.blocks().get(0)));
      }
    }
    return size;
  }

  private void undefine(Block body) {
    body.variables().forEach(variable -> memory.undefine(variable.index()));
  }

  private void select(Operation operation) {
    int point = 2 * node++;
    int chosen = operation.input(condition ? 1 : 0);
    memory.clobber(operation, operation.output(0), point + 1);
    long value = memory.read(chosen, point);
    memory.write(operation.output(0), point + 1, hash(value, 5));
  }

  private void compute(Operation operation) {
    int point = 2 * node++;
    boolean partial =
        operation.type().equals("scatter_some") || operation.type().equals("set_value");
    boolean writes = !operation.type().equals("scatter_some") || oracle.nextBoolean();
    boolean isFetch = operation.type().equals("fetch");
    if (operation.type().equals("less_than")) {
      decide(program.variable(operation.output(0)).name());
    }
    long value = operation.type().hashCode();
    for (int i = 0; i < operation.outputCount() && !partial && !isFetch; i++) {
      memory.clobber(operation, operation.output(i), point + 1);
    }
    for (int i = 0; i < operation.inputCount(); i++) {
      value = hash(value, memory.read(operation.input(i), point));
    }
    if (operation.type().equals("assign")) {
      value = memory.read(operation.input(0), point);
    }
    for (int i = 0; i < operation.outputCount() && !isFetch; i++) {
      if (partial && writes) {
        value = hash(value, memory.read(operation.output(i), point + 1));
      }
      if (writes) {
        memory.write(operation.output(i), point + 1, value);
      }
    }
  }

  /** Loops end some time. */
  private void decide(String output) {
    if (output.equals("e")) {
      comparisons++;
      goesOn = oracle.nextInt(3) > 0 && comparisons < 60;
    } else {
      condition = oracle.nextBoolean();
    }
  }

  static long hash(long a, long b) {
    if (a == UNDEFINED || b == UNDEFINED) {
      return UNDEFINED;
    }
    long mixed = (a * 0x9E3779B97F4A7C15L) ^ (b + 0x632BE59BD9B4E019L);
    return (mixed ^ (mixed >>> 29)) | 1;
  }
}
