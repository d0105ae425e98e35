package dev.sublet.compile;

import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.compile.trace.TracedValue;
import java.util.List;

/** Writes the source of a model: the functions with the loops, and the function that calls them. */
final class ModelSource {

  private final ModelDraft draft;
  private final ModelNames names;
  private final ModelConstants constants;
  private final ArenaLayout arena;
  private final CompileOptions options;
  private final StringBuilder body = new StringBuilder();

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
      source.results(i);
      if (i < draft.steps().size()) {
        source.body.append('\n').append(StepCalls.comment(draft.original(), draft.steps().get(i)));
        source.body.append(calls.of(i));
        source.poison(2 * draft.planned().positions().get(i));
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
    return "int "
        + options.name()
        + "_run(\n    void *arena,\n    const struct "
        + options.name()
        + "_inputs *inputs,\n    const struct "
        + options.name()
        + "_outputs *outputs) {\n"
        + body
        + "  return 0;\n}\n";
  }

  private void begin() {
    body.append("  unsigned char *const a = arena;\n");
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
      long offset = arena.offset(input.name(), 0, input.bytes());
      String member = "inputs->" + ModelNames.member(names.inputs().get(i));
      body.append("  if ((const void *)").append(member).append(" != (const void *)(a + ");
      body.append(offset).append(")) memcpy(a + ").append(offset).append(", ").append(member);
      body.append(", ").append(input.bytes()).append(");\n");
    }
  }

  private void poisonAtStart() {
    List<ArenaLayout.Range> unused = arena.unusedAtStart();
    append(unused);
  }

  /** Overwrites the bytes that an operator uses last. */
  private void poison(int point) {
    List<ArenaLayout.Range> dead = arena.dying(point);
    dead.addAll(arena.dying(point + 1));
    append(dead);
  }

  private void append(List<ArenaLayout.Range> dead) {
    if (dead.isEmpty()) {
      return;
    }
    body.append("#ifdef MODEL_CHECK\n");
    for (ArenaLayout.Range range : dead) {
      body.append("  memset(a + ").append(range.begin()).append(", 0xff, ");
      body.append(range.end() - range.begin()).append(");\n");
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
              : "a + " + arena.offset(output.value().name(), point, output.value().bytes());
      String member = "outputs->" + ModelNames.member(names.outputs().get(i));
      body.append("  if (").append(member).append(" != NULL) memcpy(").append(member).append(", ");
      body.append(from).append(", ").append(output.value().bytes()).append(");\n");
    }
  }
}
