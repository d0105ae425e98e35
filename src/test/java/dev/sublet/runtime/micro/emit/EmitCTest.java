package dev.sublet.runtime.micro.emit;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.micro.op.MicroGraphText;
import dev.sublet.runtime.micro.run.MicroInterpreter;
import dev.sublet.runtime.micro.run.RandomNests;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.micro.MicroValues;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The C of many programs, in one file, compiled by the system's compiler and run: it gives what the
 * interpreter gives.
 */
final class EmitCTest {

  private static final ImmutableList<String> FLAGS =
      ImmutableList.of("-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off");

  /** How far functions of the C library may be off, relative to numbers beyond 1. */
  private static final double TOLERANCE = 1e-6;

  private static final int RANDOM_PROGRAMS = 80;

  @TempDir private Path folder = Path.of("");

  /** A program with what it gets. */
  private record Case(
      String name,
      MicroProgram program,
      ImmutableMap<String, Tensor> inputs,
      ImmutableMap<String, Number> parameters,
      boolean exact) {}

  @Test
  void compiledPrograms_giveWhatTheInterpreterGives() throws Exception {
    String compiler = compiler();
    assumeTrue(!compiler.isEmpty(), "no C compiler (cc, gcc, clang) on the path: not tested");
    List<Case> cases = new ArrayList<>(documented());
    for (long seed = 1; seed <= RANDOM_PROGRAMS; seed++) {
      RandomNests random = new RandomNests(seed, /* exact= */ true);
      MicroProgram program = renamed(random.program(), "random" + seed);
      cases.add(
          new Case(
              "seed " + seed, program, random.inputs(), random.parameters(), /* exact= */ true));
    }
    Files.writeString(folder.resolve("cases.c"), source(cases));
    Files.write(folder.resolve("in.bin"), inputBytes(cases));
    List<String> command = new ArrayList<>();
    command.add(compiler);
    command.addAll(FLAGS);
    command.addAll(List.of("cases.c", "-o", "cases", "-lm"));
    assertThat(run(command)).isEmpty();
    assertThat(run(List.of(folder.resolve("cases").toString()))).isEmpty();
    ByteBuffer out = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("out.bin")));
    out.order(ByteOrder.nativeOrder());
    for (Case c : cases) {
      check(c, out);
    }
    assertThat(out.remaining()).isEqualTo(0);
  }

  @Test
  void nameInAComment_doesNotEndIt() {
    MicroProgram program = new RandomNests(1, /* exact= */ true).program();
    String file = EmitC.emit(renamed(program, "a*\\ int x; /*b"));
    assertThat(file.substring(0, file.indexOf("*/"))).contains("written by Sublet");
    assertThat(file.lines().noneMatch(line -> line.contains("*/ int x"))).isTrue();
  }

  /** The cases of {@code testdata/micro}, as they are emitted and simplified. */
  private static List<Case> documented() throws IOException {
    List<Case> cases = new ArrayList<>();
    try (Stream<Path> folders = Files.list(Path.of("testdata", "micro"))) {
      for (Path path : folders.sorted().toList()) {
        MicroProgram program =
            MicroGraphText.parse(Files.readString(path.resolve("op.micro"))).emit();
        MicroValues values = MicroValues.read(path.resolve("values.txt"));
        MicroProgram simple = SimplifyProgram.simplify(program).program();
        String name = requireNonNull(path.getFileName()).toString();
        cases.add(
            new Case(
                name,
                renamed(program, name),
                values.inputs(),
                values.parameters(),
                /* exact= */ false));
        cases.add(
            new Case(
                name + " simplified",
                renamed(simple, name + "-simplified"),
                values.inputs(),
                values.parameters(),
                /* exact= */ false));
      }
    }
    assertThat(cases.size()).isAtLeast(28);
    return cases;
  }

  private static MicroProgram renamed(MicroProgram program, String name) {
    return new MicroProgram(
        name, program.parameters(), program.tensors(), program.requirements(), program.functions());
  }

  private static void check(Case c, ByteBuffer out) {
    ImmutableMap<String, Tensor> expected = MicroInterpreter.run(c.program, c.inputs, c.parameters);
    for (var entry : expected.entrySet()) {
      Tensor wanted = entry.getValue();
      Tensor computed = read(wanted.type(), wanted.shape(), out);
      if (c.exact) {
        assertWithMessage("%s: %s", c.name, entry.getKey()).that(computed).isEqualTo(wanted);
        continue;
      }
      for (int i = 0; i < wanted.length(); i++) {
        double x = wanted.getDouble(i);
        double y = computed.getDouble(i);
        boolean near =
            Double.compare(x, y) == 0 || Math.abs(x - y) <= TOLERANCE * Math.max(1, Math.abs(x));
        assertWithMessage("%s: %s[%s] is %s, not %s", c.name, entry.getKey(), i, y, x)
            .that(near)
            .isTrue();
      }
    }
  }

  private static Tensor read(ElementType type, ImmutableLongArray shape, ByteBuffer out) {
    Tensor tensor = Tensor.zeros(type, shape);
    for (int i = 0; i < tensor.length(); i++) {
      switch (type) {
        case FLOAT32 -> tensor.floats()[i] = out.getFloat();
        case FLOAT64 -> tensor.doubles()[i] = out.getDouble();
        case INT32 -> tensor.ints()[i] = out.getInt();
        case INT64 -> tensor.longs()[i] = out.getLong();
        case BOOL, UINT8, INT8 -> tensor.bytes()[i] = out.get();
        default -> throw new AssertionError(tensor.type());
      }
    }
    return tensor;
  }

  private static byte[] inputBytes(List<Case> cases) {
    int size = 0;
    for (Case c : cases) {
      for (Tensor input : c.inputs.values()) {
        size += input.length() * input.type().bytes();
      }
    }
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    for (Case c : cases) {
      for (TensorDeclaration declaration : c.program.tensors()) {
        if (declaration.role() == Role.INPUT) {
          write(requireNonNull(c.inputs.get(declaration.name())), bytes);
        }
      }
    }
    return bytes.array();
  }

  private static void write(Tensor tensor, ByteBuffer bytes) {
    for (int i = 0; i < tensor.length(); i++) {
      switch (tensor.type()) {
        case FLOAT32 -> bytes.putFloat(tensor.floats()[i]);
        case FLOAT64 -> bytes.putDouble(tensor.doubles()[i]);
        case INT32 -> bytes.putInt(tensor.ints()[i]);
        case INT64 -> bytes.putLong(tensor.longs()[i]);
        case BOOL, UINT8, INT8 -> bytes.put(tensor.bytes()[i]);
        default -> throw new AssertionError(tensor.type());
      }
    }
  }

  /** All programs, and a main function that runs them from in.bin to out.bin. */
  private static String source(List<Case> cases) {
    StringBuilder source = new StringBuilder();
    StringBuilder main = new StringBuilder();
    for (Case c : cases) {
      source.append(EmitC.emit(c.program)).append('\n');
      main.append("  {\n").append(calls(c)).append("  }\n");
    }
    return source
        + """
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>

        static void *take(FILE *in, size_t bytes) {
          void *data = calloc(bytes + 1, 1);
          if (fread(data, 1, bytes, in) != bytes) exit(1);
          return data;
        }

        static void give(FILE *out, void *data, size_t bytes) {
          fwrite(data, 1, bytes, out);
          free(data);
        }

        int main(void) {
          FILE *in = fopen("in.bin", "rb");
          FILE *out = fopen("out.bin", "wb");
          if (in == NULL || out == NULL) return 1;
        """
        + main
        + "  fclose(in);\n  fclose(out);\n  return 0;\n}\n";
  }

  private static String calls(Case c) {
    ImmutableMap<String, Tensor> outputs = MicroInterpreter.run(c.program, c.inputs, c.parameters);
    List<String> arguments = new ArrayList<>();
    StringBuilder before = new StringBuilder();
    StringBuilder after = new StringBuilder();
    for (Role role : List.of(Role.INPUT, Role.OUTPUT)) {
      for (TensorDeclaration tensor : c.program.tensors()) {
        if (tensor.role() == role) {
          ImmutableMap<String, Tensor> tensors = role == Role.INPUT ? c.inputs : outputs;
          Tensor value = requireNonNull(tensors.get(tensor.name()));
          String variable = "a" + arguments.size();
          int bytes = value.length() * value.type().bytes();
          before.append("    void *").append(variable).append(" = ");
          before.append(role == Role.INPUT ? "take(in, " + bytes : "calloc(1, 1 + " + bytes);
          before.append(");\n");
          after.append(role == Role.INPUT ? "    free(" : "    give(out, ").append(variable);
          after.append(role == Role.INPUT ? "" : ", " + bytes).append(");\n");
          arguments.add(variable);
        }
      }
    }
    List<String> scalars = scalars(c);
    String function = EmitC.functionName(c.program);
    if (c.program.tensors().stream().anyMatch(tensor -> tensor.role() == Role.TEMPORARY)) {
      String size = function + "_workspace_bytes(" + String.join(", ", scalars) + ")";
      before.append("    void *workspace = calloc(1, 1 + ").append(size).append(");\n");
      after.append("    free(workspace);\n");
      arguments.add("workspace");
    }
    arguments.addAll(scalars);
    String call = "    " + function + "(" + String.join(", ", arguments) + ");\n";
    return before + call + after;
  }

  private static List<String> scalars(Case c) {
    List<String> scalars = new ArrayList<>();
    for (TensorDeclaration tensor : c.program.tensors()) {
      for (int axis = 0; axis < tensor.rank(); axis++) {
        if (tensor.role() == Role.INPUT
            && tensor.shape().get(axis).equals(new AxisSize(tensor.name(), axis))) {
          scalars.add(Long.toString(requireNonNull(c.inputs.get(tensor.name())).size(axis)));
        }
      }
    }
    for (ScalarDeclaration parameter : c.program.parameters()) {
      Number value = requireNonNull(c.parameters.get(parameter.name()));
      scalars.add(
          parameter.type().isFloating()
              ? Double.toString(value.doubleValue())
              : Long.toString(value.longValue()));
    }
    return scalars;
  }

  private static String compiler() {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String name : List.of("cc", "gcc", "clang")) {
      for (String directory : Splitter.on(File.pathSeparatorChar).split(path)) {
        if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, name))) {
          return name;
        }
      }
    }
    return "";
  }

  /** What a command says; a failure if it ends with another code than 0. */
  private String run(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertWithMessage("%s: %s", command, said).that(process.waitFor()).isEqualTo(0);
    return said;
  }
}
