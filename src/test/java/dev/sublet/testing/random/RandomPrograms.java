package dev.sublet.testing.random;

import static com.google.common.base.Preconditions.checkArgument;

import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * Random programs as Paddle's front ends and exporters write them.
 *
 * <p>There are nested loops, branches, if/else patterns and recurrent networks up to depth 3;
 * locals that hide outer variables, outer variables that bodies write, carries, locals that live on
 * from one iteration to the next; names that are written again and again, operators that work in
 * place, dead outputs, parameters that are updated, arrays, types that no catalog knows, incomplete
 * slots of control operators; and in two programs of five a backward pass over all of it.
 *
 * <p>Loops and branches always have a condition. What is read has a value, with one exception: a
 * local that only some iterations of an inference loop write, whose results go nowhere but to
 * outputs of their own.
 */
public final class RandomPrograms {

  /** What the names of outputs begin with that may stay undefined. */
  static final String PROBE = "probe";

  private static final int MAX_SIZE = 60;

  private RandomPrograms() {}

  /**
   * A program and what it was made from.
   *
   * @param seed the seed
   * @param size how many statements there may be
   * @param program the program
   */
  public record Sample(long seed, int size, Program program) {

    /** The call that makes the program again, and its text. */
    @Override
    public String toString() {
      String call = "RandomPrograms.generate(" + seed + "L, " + size + ")";
      return call + "\n" + ProgramText.print(program);
    }
  }

  /** Programs of all sizes, shrinking to small ones with the same seed. */
  public static Arbitrary<Sample> samples() {
    Arbitrary<Long> seeds = Arbitraries.longs().dontShrink();
    Arbitrary<Integer> sizes = Arbitraries.integers().between(1, MAX_SIZE);
    return Combinators.combine(seeds, sizes)
        .as((seed, size) -> new Sample(seed, size, generate(seed, size)));
  }

  /**
   * The program of a seed: always the same one. O(size²).
   *
   * @param size how many statements there may be, at least 1; gradients come on top
   */
  public static Program generate(long seed, int size) {
    return generate(seed, size, ProgramDraft.Style.ANY);
  }

  /**
   * A program many of whose operators only move bytes, with shapes that fit: reshapes, copies,
   * joins, splits and slices, also of each other.
   */
  public static Program generateWithViews(long seed, int size) {
    return generate(seed, size, ProgramDraft.Style.VIEWS);
  }

  /**
   * A program whose types fit: every operator makes what its output is declared to be, with views
   * among its operators, and nothing that a declaration contradicts. The other generators make
   * programs whose types need not fit, which no runtime would run: what is planned for these must
   * be safe nevertheless.
   */
  public static Program generateTyped(long seed, int size) {
    return generate(seed, size, ProgramDraft.Style.TYPED);
  }

  private static Program generate(long seed, int size, ProgramDraft.Style style) {
    checkArgument(size >= 1, "size %s", size);
    ProgramDraft draft = new ProgramDraft(seed, style);
    boolean training = draft.chance(40);
    BlockDraft main = draft.addBlock(null, null);
    boolean feedOperators = !training || draft.chance(50);
    if (feedOperators) {
      main.declare("feed", "feed_holder persistable");
    }
    main.declare("fetch", "fetch_list persistable");
    addFeeds(draft, main, feedOperators);
    addParameters(draft, main);
    ControlStatements statements = new ControlStatements(draft, training, size);
    if (training && draft.chance(70)) {
      statements.addWhile(main);
    }
    if (training && draft.chance(40)) {
      statements.addConditional(main);
    }
    statements.addStatements(main, size);
    if (training) {
      addBackward(draft, main);
    }
    addFetches(draft, main);
    return draft.build();
  }

  private static void addFeeds(ProgramDraft draft, BlockDraft main, boolean operators) {
    int count = 1 + draft.number(3);
    for (int i = 0; i < count; i++) {
      boolean lod = draft.chance(10);
      String suffix = lod ? " lod(1)" : draft.chance(30) ? " check_feed" : "";
      boolean batch = lod || (draft.isTyped() && draft.chance(30));
      String type = (batch ? TypedStatements.BATCH : draft.dataType()) + suffix;
      String name = "x" + i;
      // Only a feed operator makes a variable a feed that the program writes first.
      if (operators && draft.chance(15)) {
        main.declare(name, type);
      } else {
        draft.declareReserved(main, name, type);
      }
      main.define(name);
      if (operators) {
        main.add(new OperationDraft("feed").in("X", "feed").out("Out", name).number("col", i));
      }
    }
  }

  private static void addParameters(ProgramDraft draft, BlockDraft main) {
    main.declare("mean", "fp32[8] persistable");
    main.declare("variance", "fp32[8] persistable");
    main.define("mean");
    main.define("variance");
    for (int i = 0; i < draft.number(3); i++) {
      main.define(main.declare("w" + i, draft.dataType() + " persistable"));
    }
  }

  /** A loss, the gradients of everything that it depends on, and the optimizer. */
  private static void addBackward(ProgramDraft draft, BlockDraft main) {
    List<String> terms = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      terms.add(draft.readable(main));
    }
    String loss = draft.reserve(main, "loss", "fp32[1]");
    main.add(new OperationDraft("mean_of").in("X", terms).out("Out", loss));
    main.declare(loss + "@GRAD", "fp32[1]");
    main.add(new OperationDraft("fill_constant").out("Out", loss + "@GRAD"));
    new GradientStatements(draft).addBackward(main, main);
    for (int i = 0; main.declares("w" + i); i++) {
      String gradient = "w" + i + "@GRAD";
      if (main.isDefined(gradient)) {
        List<String> roles = List.of("w" + i, gradient);
        main.add(
            new OperationDraft("sgd")
                .in("Param", "w" + i)
                .in("Grad", gradient)
                .out("ParamOut", "w" + i)
                .number("op_role", 2)
                .names("op_role_var", roles));
      }
    }
  }

  private static void addFetches(ProgramDraft draft, BlockDraft main) {
    List<String> fetched = new ArrayList<>();
    if (draft.chance(50)) {
      List<String> terms = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        terms.add(draft.readable(main));
      }
      fetched.add(draft.reserve(main, "total", "fp32[1]"));
      main.add(new OperationDraft("mean_of").in("X", terms).out("Out", fetched.get(0)));
    }
    for (int i = 0; i < 1 + draft.number(3); i++) {
      fetched.add(draft.readable(main));
    }
    for (String name : main.declared()) {
      if (name.startsWith(PROBE) || (name.startsWith("loss") && !name.contains("@"))) {
        fetched.add(name);
      }
    }
    for (int i = 0; i < fetched.size(); i++) {
      main.add(
          new OperationDraft("fetch").in("X", fetched.get(i)).out("Out", "fetch").number("col", i));
    }
  }
}
