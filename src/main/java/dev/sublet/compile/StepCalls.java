package dev.sublet.compile;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import dev.sublet.codec.plan.CNames;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.compile.trace.TracedStep;
import dev.sublet.compile.trace.TracedValue;
import dev.sublet.operator.spec.View;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes the statements that run the steps of a model.
 *
 * <pre>
 *   model_k3_conv2d((const void *)(a + 1024), model_w2, (void *)(a + 0));
 * </pre>
 */
final class StepCalls {

  private final ModelDraft draft;
  private final ArenaLayout arena;
  private final ModelConstants constants;
  private final FunctionTable functions;
  private int calls;

  StepCalls(
      ModelDraft draft, ArenaLayout arena, ModelConstants constants, FunctionTable functions) {
    this.draft = draft;
    this.arena = arena;
    this.constants = constants;
    this.functions = functions;
  }

  /** The number of calls so far. */
  int calls() {
    return calls;
  }

  /** Returns the source of the functions that the statements so far call. */
  String functions() {
    return functions.text();
  }

  /** Returns the statements of a step. */
  String of(int index) {
    LoweredStep step = draft.steps().get(index);
    int position = draft.planned().positions().get(index);
    if (step.step().isCopy()) {
      return new CopyCalls(arena, constants).of(step.step(), position);
    }
    Operation operation = draft.planned().operations().get(index);
    StringBuilder code = new StringBuilder();
    for (TracedValue zeros : step.zeros()) {
      if (zeros.bytes() > 0) {
        code.append("  memset(").append(place(zeros, 2 * position + 1).address());
        code.append(", 0, ").append(zeros.bytes()).append(");\n");
      }
    }
    if (step.outputs().values().stream().allMatch(output -> output.bytes() == 0)) {
      return code.toString();
    }
    ImmutableList<View> views = draft.plan().facts().sizes().views(operation);
    boolean isView = views.stream().anyMatch(view -> isTaken(operation, view, position));
    return code.append(isView ? pieces(operation, views, position) : call(step, index, position))
        .toString();
  }

  private ArenaPlace place(TracedValue value, int point) {
    return arena.place(value.name(), point, value.bytes());
  }

  private String name(int variable) {
    return draft.planned().program().variable(variable).name();
  }

  /** Whether the two arguments of a view have, in some iteration, its common bytes at one place. */
  private boolean isTaken(Operation operation, View view, int position) {
    int input = operation.input(view.input());
    if (draft.planned().program().variable(input).isPersistable()) {
      return false;
    }
    ArenaPlace from = source(operation, view, position);
    ArenaPlace to = target(operation, view, position);
    return ArenaPlace.turns(ImmutableList.of(from, to)).stream()
        .anyMatch(
            turn ->
                from.begin(turn) + view.startInInput()
                    == to.begin(turn) + Math.max(0, -view.offset()));
  }

  /** Returns the place of the input of a view. */
  private ArenaPlace source(Operation operation, View view, int position) {
    return arena.place(name(operation.input(view.input())), 2 * position, 0);
  }

  /** Returns the place of the output of a view. */
  private ArenaPlace target(Operation operation, View view, int position) {
    return arena.place(name(operation.output(view.output())), 2 * position + 1, 0);
  }

  /** Copies the common bytes of those views that are not at their place. */
  private String pieces(Operation operation, ImmutableList<View> views, int position) {
    StringBuilder code = new StringBuilder();
    Map<Integer, Long> covered = new LinkedHashMap<>();
    for (View view : views) {
      covered.merge(operation.output(view.output()), view.bytes(), Long::sum);
      ArenaPlace to = target(operation, view, position);
      String target = to.address(Math.max(0, -view.offset()));
      int input = operation.input(view.input());
      if (draft.planned().program().variable(input).isPersistable()) {
        String from =
            "(const unsigned char *)" + constant(name(input)) + " + " + view.startInInput();
        code.append(CopyCalls.copy(target, from, view.bytes()));
        continue;
      }
      ArenaPlace from = source(operation, view, position);
      if (isTaken(operation, view, position) && from.isFixed() && to.isFixed()) {
        continue;
      }
      String source = from.address(view.startInInput());
      boolean isSame = source.equals(target); // in each iteration, where they take turns
      code.append(isSame ? "" : CopyCalls.copyUnlessSame(target, source, view.bytes()));
    }
    covered.forEach(
        (output, bytes) ->
            checkState(
                bytes == draft.plan().facts().sizes().bytes(output),
                "views cover %s bytes of '%s'",
                bytes,
                name(output)));
    return code.toString();
  }

  private String constant(String name) {
    for (LoweredStep step : draft.steps()) {
      for (TracedValue value : step.step().inputs().values()) {
        if (value.name().equals(name)) {
          return constants.use(value);
        }
      }
    }
    throw new IllegalStateException("no constant " + name);
  }

  private String call(LoweredStep step, int index, int position) {
    Map<String, ArenaPlace> inputs = new LinkedHashMap<>();
    step.inputs()
        .forEach(
            (tensor, value) -> {
              if (!value.isConstant() && value.bytes() > 0) {
                inputs.put(tensor, place(value, 2 * position));
              }
            });
    Map<String, ArenaPlace> outputs = new LinkedHashMap<>();
    step.outputs()
        .forEach(
            (tensor, value) -> {
              if (value.bytes() > 0) {
                outputs.put(tensor, place(value, 2 * position + 1));
              }
            });
    List<ArenaPlace> written = new ArrayList<>(outputs.values());
    ArenaPlace scratch = null;
    if (step.scratchBytes() > 0) {
      String name = requireNonNull(draft.planned().scratch().get(index));
      scratch = arena.place(name, 2 * position + 1, step.scratchBytes());
      written.add(scratch);
    }
    List<ArenaPlace> all = new ArrayList<>(inputs.values());
    all.addAll(written);
    // In some iterations an input may be in the bytes of an output, and in others not.
    Set<ImmutableMap<String, String>> variants = new LinkedHashSet<>();
    for (IntToLongFunction turn : ArenaPlace.turns(all)) {
      checkApart(written, turn);
      variants.add(shared(step, inputs, outputs, turn));
    }
    List<ImmutableMap<String, String>> ordered = new ArrayList<>(variants);
    ordered.sort((a, b) -> Integer.compare(b.size(), a.size()));
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < ordered.size(); i++) {
      ImmutableMap<String, String> variant = ordered.get(i);
      if (i + 1 < ordered.size()) {
        code.append("  if (").append(condition(variant, inputs, outputs)).append(")\n  ");
      }
      code.append(
          step instanceof LoweredStep.Nests nests
              ? call(nests, inputs, outputs, scratch, variant)
              : call((LoweredStep.Routine) step, inputs, outputs, scratch));
      if (i + 1 < ordered.size()) {
        code.append("  else\n");
      }
    }
    calls++;
    return code.toString();
  }

  /** Returns the condition that some inputs are in the bytes of outputs. */
  private static String condition(
      ImmutableMap<String, String> shared,
      Map<String, ArenaPlace> inputs,
      Map<String, ArenaPlace> outputs) {
    List<String> pairs = new ArrayList<>();
    shared.forEach(
        (input, output) ->
            pairs.add(
                requireNonNull(inputs.get(input)).address()
                    + " == "
                    + requireNonNull(outputs.get(output)).address()));
    return String.join(" && ", pairs);
  }

  private String call(
      LoweredStep.Nests step,
      Map<String, ArenaPlace> inputs,
      Map<String, ArenaPlace> outputs,
      @Nullable ArenaPlace scratch,
      ImmutableMap<String, String> shared) {
    MicroProgram program = step.program();
    for (Map.Entry<String, String> pair : shared.entrySet()) {
      program = InPlaceProof.united(program, pair.getKey(), pair.getValue());
    }
    List<String> read = new ArrayList<>();
    List<String> written = new ArrayList<>();
    for (TensorDeclaration tensor : CFunctions.parameters(program)) {
      TracedValue constant = step.inputs().get(tensor.name());
      ArenaPlace place = inputs.getOrDefault(tensor.name(), outputs.get(tensor.name()));
      String pointer =
          constant != null && constant.isConstant()
              ? "(const void *)(" + constants.use(constant) + ")"
              : place == null ? "NULL" : pointer(tensor, place);
      (tensor.role() == TensorDeclaration.Role.INPUT ? read : written).add(pointer);
    }
    // Nests that overwrite an input are not tiled, and have no panel.
    if (scratch != null && CFunctions.workspaceBytes(program, step.tiling()) > 0) {
      written.add(scratch.address());
    }
    ImmutableSet<String> given = ImmutableSet.copyOf(shared.values());
    String function = functions.use(program, given, step.tiling());
    int parts = CFunctions.parts(program, given, step.tiling());
    return parts == 1
        ? "  " + function + "(" + String.join(", ", Iterables.concat(read, written)) + ");\n"
        : splitCall(function, read, written, parts);
  }

  /** Returns a call of a function whose parts may run at the same time. */
  private String splitCall(String function, List<String> read, List<String> written, int parts) {
    String name = functions.prefix();
    return "  {\n    const struct "
        + name
        + "call call = {{"
        + (read.isEmpty() ? "NULL" : String.join(", ", read))
        + "}, {"
        + String.join(", ", written)
        + "}};\n    "
        + name
        + "split(threads, "
        + function
        + CFunctions.PART
        + ", &call, "
        + parts
        + ");\n  }\n";
  }

  private String call(
      LoweredStep.Routine step,
      Map<String, ArenaPlace> inputs,
      Map<String, ArenaPlace> outputs,
      @Nullable ArenaPlace scratch) {
    return functions.use(
        step.routine(),
        argument -> {
          TracedValue constant = step.inputs().get(argument.name());
          if (argument.kind() == CRoutine.Place.Kind.INPUT
              && constant != null
              && constant.isConstant()
              && constant.bytes() > 0) {
            String bytes = "(const unsigned char *)" + constants.use(constant);
            return argument.offset() == 0 ? bytes : bytes + " + " + argument.offset();
          }
          ArenaPlace place =
              switch (argument.kind()) {
                case INPUT -> inputs.get(argument.name());
                case OUTPUT -> outputs.get(argument.name());
                case SCRATCH -> scratch;
              };
          return place == null ? "NULL" : place.address(argument.offset());
        });
  }

  private static String pointer(TensorDeclaration tensor, ArenaPlace place) {
    String constant = tensor.role() == TensorDeclaration.Role.INPUT ? "const " : "";
    return "(" + constant + "void *)(" + place.address() + ")";
  }

  private static void checkApart(List<ArenaPlace> written, IntToLongFunction turn) {
    for (int i = 0; i < written.size(); i++) {
      for (int j = i + 1; j < written.size(); j++) {
        checkState(!written.get(i).overlaps(written.get(j), turn), "outputs that overlap");
      }
    }
  }

  /**
   * Returns the output in whose bytes each input lies, for inputs that lie in bytes of an output.
   *
   * @param turn the iterations of loops
   * @throws IllegalStateException if the nests do not allow it: a bug of the caller
   */
  private static ImmutableMap<String, String> shared(
      LoweredStep step,
      Map<String, ArenaPlace> inputs,
      Map<String, ArenaPlace> outputs,
      IntToLongFunction turn) {
    ImmutableMap.Builder<String, String> shared = ImmutableMap.builder();
    inputs.forEach(
        (input, from) ->
            outputs.forEach(
                (output, to) -> {
                  if (from.overlaps(to, turn)) {
                    checkState(
                        from.begin(turn) == to.begin(turn)
                            && from.bytes() == to.bytes()
                            && step.mayOverwrite(input, output),
                        "%s of %s would overwrite its input %s",
                        output,
                        step.step().operation(),
                        input);
                    shared.put(input, output);
                  }
                }));
    return shared.buildOrThrow();
  }

  /** Returns a comment that names an operator. */
  static String comment(Program original, TracedStep step) {
    Operation operation = step.operation();
    List<String> names = new ArrayList<>();
    step.outputs().values().forEach(value -> names.add(CNames.comment(value.name())));
    String written = " -> " + String.join(", ", names);
    if (step.isAddedCopy()) {
      return "  /* copy" + written + " */\n";
    }
    return "  /* op "
        + operation.index()
        + ": "
        + CNames.comment(operation.type())
        + joined(step)
        + written
        + (original.blocks().size() > 1 ? ", block " + operation.block() : "")
        + " */\n";
  }

  /** Returns the types of the operators that a step contains besides its own. */
  private static String joined(TracedStep step) {
    StringBuilder types = new StringBuilder();
    for (Operation each : step.joined()) {
      types.append(" + ").append(CNames.comment(each.type()));
    }
    return types.toString();
  }
}
