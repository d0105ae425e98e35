package dev.sublet.compile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import dev.sublet.compile.trace.TracedValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Writes all files of a model. */
final class ModelFiles {

  private static final String THREADS_IN_CMAKE =
      """
      set(THREADS_PREFER_PTHREAD_FLAG ON)
      find_package(Threads REQUIRED)
      """;

  private final ModelDraft draft;
  private final ModelNames names;
  private final CompileOptions options;

  private ModelFiles(ModelDraft draft, CompileOptions options) {
    this.draft = draft;
    this.options = options;
    this.names = ModelNames.of(draft.trace());
  }

  static CompiledModel write(ModelDraft draft, CompileOptions options) {
    return new ModelFiles(draft, options).write();
  }

  private CompiledModel write() {
    ArenaLayout arena = new ArenaLayout(draft.plan().plan());
    ModelConstants constants = new ModelConstants(options);
    FunctionTable functions = new FunctionTable(options.name(), options.math());
    StepCalls calls = new StepCalls(draft, arena, constants, functions);
    String source = ModelSource.of(draft, names, constants, arena, calls, options);
    ImmutableMap.Builder<String, byte[]> files = ImmutableMap.builder();
    String name = options.name();
    boolean inC = options.weights() == WeightsForm.C && !constants.isEmpty();
    files.put(name + ".h", ModelHeader.of(draft, names, constants, arena, options).getBytes(UTF_8));
    files.put(name + ".c", source.getBytes(UTF_8));
    if (inC) {
      files.put(name + "_weights.c", constants.toSource());
    } else if (options.weights() == WeightsForm.BIN) {
      files.put(name + "_weights.bin", constants.toBytes());
    }
    String weights = inC ? name + "_weights.c " : "";
    files.put("main.c", mainFile().getBytes(UTF_8));
    String bits =
        options.math() == MathMode.FAST
            ? "# The results are near those of `sublet run`; their bits depend on the machine.\n"
            : "# The results have the bits of `sublet run` with any optimization that keeps IEEE"
                + " arithmetic.\n";
    files.put(
        "Makefile",
        resource("Makefile")
            .replace("@bits@", bits)
            .replace("@weights@", weights)
            .replace("@threads@", options.threads() > 1 ? " -pthread" : "")
            .getBytes(UTF_8));
    files.put(
        "CMakeLists.txt",
        resource("CMakeLists.txt")
            .replace(" @weights@", " " + weights)
            .replace(" )", ")")
            .replace("@threads@", options.threads() > 1 ? THREADS_IN_CMAKE : "")
            .replace("@link_threads@", options.threads() > 1 ? " Threads::Threads" : "")
            .getBytes(UTF_8));
    return new CompiledModel(
        files.buildOrThrow(),
        draft.plan(),
        functions.count(),
        calls.calls(),
        constants.bytes(),
        source.getBytes(UTF_8).length);
  }

  private String mainFile() {
    StringBuilder inputs = new StringBuilder();
    StringBuilder outputs = new StringBuilder();
    StringBuilder read = new StringBuilder();
    StringBuilder write = new StringBuilder();
    int file = 1;
    for (int i = 0; i < names.inputs().size(); i++) {
      String member = ModelNames.member(names.inputs().get(i));
      inputs.append(entry(member, draft.trace().inputs().get(i)));
      read.append("  in.").append(member).append(" = read_npy(files[").append(file++);
      read.append("], &inputs[").append(i).append("]);\n");
    }
    for (int i = 0; i < names.outputs().size(); i++) {
      String member = ModelNames.member(names.outputs().get(i));
      outputs.append(entry(member, draft.trace().outputs().get(i).value()));
      read.append("  out.").append(member).append(" = aligned(outputs[").append(i);
      read.append("].bytes + 1, 64);\n");
      if (draft.trace().outputs().get(i).value().shape().isPresent()) {
        write.append("  write_part(files[").append(file++).append("], &outputs[").append(i);
        write.append("], out.").append(member).append(", out.");
        write.append(ModelNames.member(names.outputs().get(i + 1))).append(");\n");
      } else if (!isShape(i)) {
        write.append("  write_npy(files[").append(file++).append("], &outputs[").append(i);
        write.append("], out.").append(member).append(");\n");
      }
    }
    boolean reads = options.weights() != WeightsForm.C;
    if (reads) {
      read.append("  in.weights = read_weights(\"")
          .append(options.name())
          .append("_weights.bin\");\n");
    }
    String none = "    {\"\", \"\", \"\", 0},\n";
    boolean hasThreads = options.threads() > 1;
    return resource("main.c")
        .replace("@define_posix@", hasThreads ? "#define _POSIX_C_SOURCE 199309L\n" : "")
        .replace("@include_threads@", hasThreads ? "#include <pthread.h>\n" : "")
        .replace("@threads@", hasThreads ? resource("threads.c") : resource("no_threads.c"))
        .replace("@inputs@", inputs.isEmpty() ? none : inputs)
        .replace("@outputs@", outputs.isEmpty() ? none : outputs)
        .replace("@read@", read)
        .replace("@write@", write)
        .replace("@weights@", reads ? resource("read_weights.c") : "")
        .replace(
            "@parts@",
            draft.trace().files() < names.outputs().size() ? resource("write_part.c") : "");
  }

  /** Whether an output is the shape of the output before it. */
  private boolean isShape(int output) {
    return output > 0 && draft.trace().outputs().get(output - 1).value().shape().isPresent();
  }

  private static String entry(String member, TracedValue value) {
    return "    {\""
        + member
        + "\", \"'descr': '"
        + CTypes.npy(value.type())
        + "'\", \"'shape': "
        + CTypes.tuple(value.tensor().tensor().shape())
        + "\", "
        + value.bytes()
        + "},\n";
  }

  private String resource(String name) {
    try {
      return Resources.toString(Resources.getResource(ModelFiles.class, name), UTF_8)
          .replace("@contraction@", options.math() == MathMode.FAST ? "fast" : "off")
          .replace("@name@", options.name())
          .replace("@NAME@", options.name().toUpperCase(Locale.ROOT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
