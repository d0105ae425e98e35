package dev.sublet.compile;

import dev.sublet.codec.plan.CNames;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.compile.trace.TracedValue;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView.FixedView;
import java.util.Locale;

/** Writes the header of a model: sizes, inputs, outputs, the function that runs it. */
final class ModelHeader {

  private final ModelDraft draft;
  private final ModelNames names;
  private final ModelConstants constants;
  private final ArenaLayout arena;
  private final CompileOptions options;
  private final String upper;
  private final StringBuilder text = new StringBuilder();

  private ModelHeader(
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
    this.upper = options.name().toUpperCase(Locale.ROOT);
  }

  /** Returns the text of the header. O(inputs + outputs). */
  static String of(
      ModelDraft draft,
      ModelNames names,
      ModelConstants constants,
      ArenaLayout arena,
      CompileOptions options) {
    ModelHeader header = new ModelHeader(draft, names, constants, arena, options);
    header.begin();
    header.sizes();
    header.inputs();
    header.outputs();
    header.function();
    return header.text.toString();
  }

  private void begin() {
    MemoryPlan plan = draft.plan().plan();
    text.append("/* ").append(CNames.comment(options.source())).append(" in C99, by ");
    text.append(CNames.comment(options.version())).append(".\n *\n");
    text.append(" * SHA-256 of the program: ").append(ProgramWriter.sha256(draft.original()));
    text.append("\n * SHA-256 of the program that was planned: ").append(plan.programSha256());
    text.append("\n * Planner: ").append(plan.planner()).append(". The plan is proved.\n *\n");
    text.append(
        " * The code allocates nothing and writes no global, so several arenas can be in\n");
    text.append(
        " * use at once. It needs less than 4 KiB of stack with gcc, and less than 16 KiB with\n");
    text.append(
        " * clang, whose vector code spills more registers. "
            + (options.math() == MathMode.FAST
                ? "The results are near those of\n * `sublet run` (--math fast).\n"
                : "Compile with IEEE arithmetic and\n * without contraction (-ffp-contract=off)"
                    + " for the bits of `sublet run`.\n"));
    text.append(" * With -DMODEL_CHECK, dead bytes of the arena are overwritten after each");
    text.append(" operator.\n */\n");
    text.append("#ifndef ").append(upper).append("_H\n#define ").append(upper).append("_H\n\n");
    text.append("#include <stddef.h>\n#include <stdint.h>\n\n");
    text.append("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  }

  private void define(String name, String value) {
    text.append("#define ").append(upper).append('_').append(name).append(' ').append(value);
    text.append('\n');
  }

  private void sizes() {
    text.append("/* The arena: its size, and the alignment of its first byte. */\n");
    define("ARENA_BYTES", CTypes.size(arena.bytes()));
    define("ARENA_ALIGNMENT", CTypes.size(arena.alignment()));
    text.append("\n/* The constants. */\n");
    define("WEIGHTS_BYTES", CTypes.size(constants.bytes()));
    text.append('\n');
    define("INPUTS", String.valueOf(names.inputs().size()));
    define("OUTPUTS", String.valueOf(draft.trace().files()));
  }

  private void inputs() {
    for (int i = 0; i < names.inputs().size(); i++) {
      TracedValue input = draft.trace().inputs().get(i);
      describe("Input", "INPUT_" + names.inputs().get(i), input.name(), input);
      if (draft.trace().live().contains(input.name()) && input.bytes() > 0) {
        offset("INPUT_" + names.inputs().get(i), input.name(), 0, input.bytes());
      }
    }
    text.append(
        "\n/* The elements are copied into the arena before the first operator runs. A pointer may");
    text.append(
        "\n * be that of its place there, then nothing is copied, and the run overwrites them. */\n");
    text.append("struct ").append(options.name()).append("_inputs {\n");
    for (int i = 0; i < names.inputs().size(); i++) {
      TracedValue input = draft.trace().inputs().get(i);
      text.append("  const ").append(CTypes.of(input.type())).append(" *");
      text.append(ModelNames.member(names.inputs().get(i))).append("; /* ");
      text.append(input.type()).append(input.tensor().tensor().shape()).append(" */\n");
    }
    if (options.weights() != WeightsForm.C) {
      text.append("  const void *weights; /* the content of ").append(options.name());
      text.append("_weights.bin; aligned to 16 bytes */\n");
    } else if (names.inputs().isEmpty()) {
      text.append("  char unused;\n");
    }
    text.append("};\n");
  }

  private void outputs() {
    int end = draft.planned().lastPoint();
    for (int i = 0; i < names.outputs().size(); i++) {
      TracedProgram.Output output = draft.trace().outputs().get(i);
      describe("Output", "OUTPUT_" + names.outputs().get(i), output.name(), output.value());
      if (!output.value().isConstant() && output.value().bytes() > 0) {
        String name = output.value().name();
        offset("OUTPUT_" + names.outputs().get(i), name, end, output.value().bytes());
      }
    }
    text.append("\n/* An output is copied to its pointer, unless that is NULL. It is also at its");
    text.append(" place in the\n * arena until the next run.")
        .append(draft.trace().files() < names.outputs().size() ? "\n" : " */\n");
    if (draft.trace().files() < names.outputs().size()) {
      text.append(
          " *\n * An output that is followed by its shape has as many elements as the shape says. Its"
              + " memory is as\n * large as for the largest shape, and the rest of it has no meaning.\n"
              + " */\n");
    }
    text.append("struct ").append(options.name()).append("_outputs {\n");
    for (int i = 0; i < names.outputs().size(); i++) {
      TracedValue output = draft.trace().outputs().get(i).value();
      text.append("  ").append(CTypes.of(output.type())).append(" *");
      text.append(ModelNames.member(names.outputs().get(i))).append("; /* ");
      text.append(output.type()).append(output.tensor().tensor().shape()).append(" */\n");
    }
    if (names.outputs().isEmpty()) {
      text.append("  char unused;\n");
    }
    text.append("};\n");
  }

  private void describe(String role, String macro, String name, TracedValue value) {
    text.append("\n/* ").append(role).append(" '").append(CNames.comment(name)).append("': ");
    text.append(value.type()).append(value.tensor().tensor().shape()).append(" */\n");
    define(macro + "_BYTES", CTypes.size(value.bytes()));
  }

  private void offset(String macro, String name, int point, long bytes) {
    ArenaPlace place = arena.place(name, point, bytes);
    if (place.view() instanceof FixedView fixed) {
      define(macro + "_OFFSET", CTypes.size(fixed.offset()));
    } else {
      text.append("/* Its place in the arena depends on the number of iterations of a loop. */\n");
    }
  }

  private void threads() {
    String name = options.name();
    text.append("/* The most parts of an operator that may run at the same time. */\n");
    define("THREADS", String.valueOf(options.threads()));
    text.append("\n/* Threads of the caller. `run` calls task(call, part) for each part from 0 to");
    text.append(
        "\n * parts - 1, in any order and at the same time, and returns after the last call");
    text.append(
        "\n * has returned. What the tasks have written must then be visible to the caller,");
    text.append("\n * and to tasks of later calls of `run`. */\n");
    text.append("struct ").append(name).append("_threads {\n  void (*run)(\n");
    text.append("      void *context, void (*task)(const void *call, int32_t part),\n");
    text.append("      const void *call, int32_t parts);\n  void *context;\n};\n\n");
    text.append("/* Runs the model as ").append(name).append("_run does, with the same bits, on");
    text.append(
        " several threads.\n * If `threads` is NULL, the parts run one after the other. */\n");
    text.append("int ").append(name).append("_run_threads").append(parameters(name));
    text.append(threadsParameter(name)).append(");\n\n");
  }

  /** Returns the parameters of the function that runs a model, without the closing parenthesis. */
  static String parameters(String name) {
    return "(\n    void *arena,\n    const struct "
        + name
        + "_inputs *inputs,\n    const struct "
        + name
        + "_outputs *outputs";
  }

  /** Returns the parameter for threads of the caller. */
  static String threadsParameter(String name) {
    return ",\n    const struct " + name + "_threads *threads";
  }

  private void function() {
    text.append("\n/* Runs the model.\n *\n");
    text.append(
        " * Returns 0; 1 if the arena is NULL or not aligned; 2 if an input is NULL.\n */\n");
    text.append("int ").append(options.name()).append("_run");
    text.append(parameters(options.name())).append(");\n\n");
    if (options.threads() > 1) {
      threads();
    }
    text.append("#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
  }
}
