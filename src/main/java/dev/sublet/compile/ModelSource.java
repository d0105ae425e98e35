package dev.sublet.compile;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.sublet.codec.plan.CNames;
import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.compile.trace.TracedRegion;
import dev.sublet.compile.trace.TracedStep;
import dev.sublet.compile.trace.TracedValue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Writes the source of a model: the functions with the loops, and the function that calls them. */
final class ModelSource {

  private final ModelDraft draft;
  private final ModelNames names;
  private final ModelConstants constants;
  private final ArenaLayout arena;
  private final CompileOptions options;
  private final StringBuilder body = new StringBuilder();

  /** The regions around the next statement, the innermost one first. */
  private final Deque<Integer> open = new ArrayDeque<>();

  private int begun;

  private ModelSource(
      ModelDraft draft,
      ModelNames names,
      ModelConstants constants,
      ArenaLayout arena,
      CompileOptions options) {
    this.draft = draft;
    this.names = names;
    this.constants = constants;
    this.arena = arena;
    this.options = options;
  }

  /** Returns the text of the source. O(size). */
  static String of(
      ModelDraft draft,
      ModelNames names,
      ModelConstants constants,
      ArenaLayout arena,
      StepCalls calls,
      CompileOptions options) {
    ModelSource source = new ModelSource(draft, names, constants, arena, options);
    source.begin();
    for (int i = 0; i <= draft.steps().size(); i++) {
      source.close(i);
      source.results(i);
      source.open(i);
      if (i < draft.steps().size()) {
        source.add(i, calls);
      }
    }
    return source.head() + calls.functions() + source.function();
  }

  private String head() {
    String declarations =
        options.weights() == WeightsForm.C && !constants.isEmpty()
            ? constants.declarations() + "\n"
            : "";
    return "#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n"
        + "#include \""
        + options.name()
        + ".h\"\n\n"
        + declarations;
  }

  private String function() {
    String parameters = ModelHeader.parameters(options.name());
    if (options.threads() == 1) {
      return "int " + options.name() + "_run" + parameters + ") {\n" + body + "  return 0;\n}\n";
    }
    String threads = ModelHeader.threadsParameter(options.name());
    return "int "
        + options.name()
        + "_run_threads"
        + parameters
        + threads
        + ") {\n  (void)threads;\n"
        + body
        + "  return 0;\n}\n\nint "
        + options.name()
        + "_run"
        + parameters
        + ") {\n  return "
        + options.name()
        + "_run_threads(arena, inputs, outputs, NULL);\n}\n";
  }

  private void begin() {
    body.append("  unsigned char *const a = arena;\n");
    for (int block : arena.movingLoops()) {
      body.append("  size_t n").append(block).append(" = 0;\n");
    }
    if (options.weights() != WeightsForm.C) {
      body.append("  const unsigned char *const w = inputs->weights;\n");
    }
    body.append("  if (a == NULL || (uintptr_t)a % ").append(arena.alignment());
    body.append(" != 0) return 1;\n");
    if (options.weights() != WeightsForm.C) {
      body.append(constants.isEmpty() ? "" : "  if (w == NULL) return 2;\n").append("  (void)w;\n");
    }
    for (String name : names.inputs()) {
      body.append("  if (inputs->").append(ModelNames.member(name)).append(" == NULL) return 2;\n");
    }
    body.append("  (void)inputs;\n  (void)outputs;\n");
    poisonAtStart();
    for (int i = 0; i < names.inputs().size(); i++) {
      TracedValue input = draft.trace().inputs().get(i);
      if (!draft.trace().live().contains(input.name()) || input.bytes() == 0) {
        continue;
      }
      String place = arena.place(input.name(), 0, input.bytes()).address();
      String member = "inputs->" + ModelNames.member(names.inputs().get(i));
      body.append("  if ((const void *)").append(member).append(" != (const void *)(");
      body.append(place).append(")) memcpy(").append(place).append(", ").append(member);
      body.append(", ").append(input.bytes()).append(");\n");
    }
  }

  /** Begins the loops and branches whose first step is a step. */
  private void open(int step) {
    ImmutableList<TracedRegion> regions = draft.trace().regions();
    for (; begun < regions.size() && regions.get(begun).begin() == step; begun++) {
      TracedRegion region = regions.get(begun);
      PlannedProgram.PlannedRegion planned = draft.planned().regions().get(begun);
      String condition =
          arena.place(region.condition().name(), 2 * planned.position(), 1).address();
      body.append('\n').append(comment(region));
      if (region.isLoop() && arena.movingLoops().contains(planned.block())) {
        line("n" + planned.block() + " = 0;");
      }
      line((region.isLoop() ? "while" : "if") + " (*(" + condition + ") != 0) {");
      open.push(begun);
    }
  }

  /** Ends the loops and branches before a step. */
  private void close(int step) {
    ImmutableList<TracedRegion> regions = draft.trace().regions();
    while (!open.isEmpty() && regions.get(open.peek()).end() == step) {
      int number = open.peek();
      int block = draft.planned().regions().get(number).block();
      if (regions.get(number).isLoop() && arena.movingLoops().contains(block)) {
        line("n" + block + "++;");
      }
      open.pop();
      line("}");
    }
  }

  private String comment(TracedRegion region) {
    return indented(
        "  /* op "
            + region.operation().index()
            + ": "
            + CNames.comment(region.operation().type())
            + (draft.original().blocks().size() > 1 ? ", block " + region.operation().block() : "")
            + " */\n");
  }

  private void line(String code) {
    body.append(indented("  " + code + "\n"));
  }

  /** Indents statements by the depth of regions; lines of the preprocessor stay. */
  private String indented(String code) {
    if (open.isEmpty() || code.isEmpty()) {
      return code;
    }
    StringBuilder indented = new StringBuilder();
    for (String each : Splitter.on('\n').split(code.substring(0, code.length() - 1))) {
      indented.append(each.startsWith("#") ? "" : "  ".repeat(open.size())).append(each);
      indented.append('\n');
    }
    return indented.toString();
  }

  private void add(int step, StepCalls calls) {
    TracedStep traced = draft.trace().steps().get(step);
    String code = calls.of(step);
    if (!code.isEmpty() || !traced.isAddedCopy()) {
      body.append('\n').append(indented(StepCalls.comment(draft.original(), traced)));
      body.append(indented(code));
    }
    int position = draft.planned().positions().get(step);
    List<ArenaLayout.Range> dead = arena.dying(2 * position);
    boolean isEndOfLoop =
        !open.isEmpty()
            && draft.trace().regions().get(open.peek()).isLoop()
            && draft.trace().regions().get(open.peek()).end() == step + 1;
    if (!isEndOfLoop) { // after it comes the first step of the loop
      dead.addAll(arena.dying(2 * position + 1));
    }
    append(dead);
  }

  private void poisonAtStart() {
    List<ArenaLayout.Range> unused = arena.unusedAtStart();
    append(unused);
  }

  private void append(List<ArenaLayout.Range> dead) {
    if (dead.isEmpty()) {
      return;
    }
    body.append("#ifdef MODEL_CHECK\n");
    for (ArenaLayout.Range range : dead) {
      line("memset(a + " + range.begin() + ", 0xff, " + (range.end() - range.begin()) + ");");
    }
    body.append("#endif\n");
  }

  /** Copies the results that are final after some steps. */
  private void results(int steps) {
    for (int i = 0; i < names.outputs().size(); i++) {
      TracedProgram.Output output = draft.trace().outputs().get(i);
      if (output.step() != steps || output.value().bytes() == 0) {
        continue;
      }
      int point = 2 * draft.planned().results().get(i);
      String from =
          output.value().isConstant()
              ? constants.use(output.value())
              : arena.place(output.value().name(), point, output.value().bytes()).address();
      String member = "outputs->" + ModelNames.member(names.outputs().get(i));
      body.append("  if (").append(member).append(" != NULL) memcpy(").append(member).append(", ");
      body.append(from).append(", ").append(output.value().bytes()).append(");\n");
    }
  }
}
