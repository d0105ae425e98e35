package dev.sublet.runtime.micro.emit;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Generates portable C99 from a program: one function that allocates nothing.
 *
 * <pre>
 * size_t NAME_workspace_bytes(int64_t d_x_0, …, int64_t stride);    if there are temporaries
 * void NAME(const float *x, …, float *y, …, void *workspace, int64_t d_x_0, …, int64_t stride);
 * </pre>
 *
 * <p>The arguments are, in this order: inputs, then outputs, each in declaration order; a workspace
 * for the temporaries, if there are any, aligned to 16 bytes and of {@code NAME_workspace_bytes}
 * bytes; the extents of inputs that the caller decides; the parameters. Arrays must not overlap.
 * Elements are in row-major order.
 *
 * <p>The caller must ensure that the requirements hold, which are listed in the header comment, and
 * that indices fit in 64 bits. An index divided by 0 is 0. Elements that the program does not write
 * keep their values. The results equal the interpreter's bit for bit if the compiler neither
 * contracts operations nor uses excess precision ({@code -ffp-contract=off}, {@code
 * FLT_EVAL_METHOD} 0). Exceptions are functions such as {@code expf}, which are the C library's for
 * FLOAT32.
 */
public final class EmitC {

  private static final Splitter WORDS = Splitter.onPattern("[^A-Za-z0-9_]+");

  private final MicroProgram program;
  private final CScope scope;
  private final Tiling tiling;
  private final CIndex index;

  EmitC(MicroProgram program, CScope scope) {
    this(program, scope, Tiling.PLAIN);
  }

  EmitC(MicroProgram program, CScope scope, Tiling tiling) {
    this.program = program;
    this.tiling = tiling;
    this.scope = scope;
    this.index = CIndex.inFront(scope);
  }

  /**
   * Returns the C file of a program. O(size of the result).
   *
   * @throws dev.sublet.runtime.micro.check.InvalidMicroProgramException if the program breaks a
   *     rule of {@link MicroProgramCheck}
   */
  public static String emit(MicroProgram program) {
    MicroProgramCheck.check(program);
    return new EmitC(program, new CScope(program)).emit();
  }

  /** Returns the C type of elements. Not for types that C99 lacks, such as float16. */
  public static String type(ElementType type) {
    return CScope.type(type);
  }

  /** Returns the name of the function that {@link #emit} generates. */
  public static String functionName(MicroProgram program) {
    return new CScope(program).function();
  }

  private String emit() {
    List<String> scalars = scalars();
    List<String> pointers = pointers();
    StringBuilder functions = new StringBuilder();
    if (has(Role.TEMPORARY)) {
      workspaceBytes(scalars, functions);
    }
    List<String> arguments = new ArrayList<>(pointers);
    if (has(Role.TEMPORARY)) {
      arguments.add("void *restrict workspace");
    }
    arguments.addAll(scalars);
    functions.append(function(arguments, ImmutableSet.of(), /* begin= */ ""));
    StringBuilder file = new StringBuilder();
    header(file);
    for (CHelper helper : scope.helpers()) {
      file.append(helper.definition(scope.prefix())).append('\n');
    }
    return file.append(functions).toString();
  }

  /**
   * Returns the definition of a function with internal linkage.
   *
   * @param given the outputs that have values before the call
   */
  String staticFunction(ImmutableSet<String> given) {
    checkArgument(scalars().isEmpty(), "%s has extents that the caller decides", program.name());
    List<String> arguments = new ArrayList<>(pointers());
    if (workspaceBytes(program, tiling) > 0) {
      arguments.add("void *restrict workspace");
    }
    if (parts(program, given, tiling) > 1) {
      arguments.add("int64_t part");
    }
    return "static " + function(arguments, given, zeros(given));
  }

  /** Returns statements that clear the tensors of which the nests do not write every element. */
  private String zeros(ImmutableSet<String> given) {
    StringBuilder code = new StringBuilder();
    for (TensorDeclaration tensor : UnwrittenTensors.of(program)) {
      if (given.contains(tensor.name())) {
        continue;
      }
      long bytes = tensor.type().bytes();
      for (IndexExpression extent : tensor.shape()) {
        bytes *= ((Constant) extent).value();
      }
      code.append("  memset(").append(scope.tensor(tensor.name())).append(", 0, ");
      code.append(bytes).append(");\n");
    }
    return code.toString();
  }

  private String function(List<String> arguments, ImmutableSet<String> given, String begin) {
    scope.forget();
    StringBuilder blocks = new StringBuilder(begin);
    blocks(blocks, given);
    String body = temporaries() + extents() + blocks;
    String result = arguments.isEmpty() ? "void" : String.join(",\n    ", arguments);
    return "void "
        + scope.function()
        + "(\n    "
        + result
        + ") {\n"
        + unused(arguments, body)
        + body
        + "}\n";
  }

  /**
   * Returns the bytes of the temporaries of a program whose extents are numbers, and of the panels
   * of the nest that has the largest ones; not 0 if there are any, for the function then has a
   * parameter for them.
   */
  static long workspaceBytes(MicroProgram program, Tiling tiling) {
    long panels = 0;
    for (NestCut cut : NestCuts.of(program, ImmutableSet.of(), tiling)) {
      panels = Math.max(panels, cut.panelBytes());
    }
    return Math.addExact(temporaryBytes(program), panels);
  }

  /**
   * Returns the number of parts of a program's function.
   *
   * @param given the outputs that have values before the call
   */
  static int parts(MicroProgram program, ImmutableSet<String> given, Tiling tiling) {
    ImmutableList<NestCut> cuts = NestCuts.of(program, given, tiling);
    return cuts.isEmpty() ? 1 : cuts.get(0).parts();
  }

  /** Returns the inputs that only a tile reads, as factors, and the order that suits it. */
  static ImmutableMap<String, PackedRows> packed(MicroProgram program, Tiling tiling) {
    Map<String, PackedRows> packed = new LinkedHashMap<>();
    for (NestCut cut : NestCuts.of(program, ImmutableSet.of(), tiling)) {
      if (cut.tile() != null) {
        String factor = cut.tile().form().factor().access().tensor();
        PackedRows rows = cut.tile().packedRows();
        if (rows != null && reads(program, factor) == 1) {
          packed.put(factor, rows);
        }
      }
    }
    return ImmutableMap.copyOf(packed);
  }

  private static int reads(MicroProgram program, String tensor) {
    int reads = 0;
    for (MicroFunction function : program.functions()) {
      for (LoopBlock block : function.blocks()) {
        for (Loop loop : block.loops()) {
          reads += count(Reads.ofBounds(loop), tensor);
          for (Statement statement : loop.statements()) {
            reads += count(Reads.of(statement), tensor);
          }
        }
      }
    }
    return reads;
  }

  private static int count(List<Reads.Read> reads, String tensor) {
    return (int) reads.stream().filter(read -> read.tensor().equals(tensor)).count();
  }

  /** Returns the number of nests with a {@link ProductTile}. */
  static int products(MicroProgram program) {
    int products = 0;
    for (MicroFunction function : program.functions()) {
      for (LoopBlock block : function.blocks()) {
        products += ProductTile.of(program, block) == null ? 0 : 1;
      }
    }
    return products;
  }

  private static long temporaryBytes(MicroProgram program) {
    long bytes = 0;
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.TEMPORARY) {
        long own = tensor.type().bytes();
        for (IndexExpression extent : tensor.shape()) {
          own = Math.multiplyExact(own, ((Constant) extent).value());
        }
        bytes = Math.addExact(bytes, Math.max((own + 15) / 16 * 16, 16));
      }
    }
    return bytes;
  }

  private boolean has(Role role) {
    return program.tensors().stream().anyMatch(tensor -> tensor.role() == role);
  }

  private void header(StringBuilder file) {
    file.append("/* ").append(comment(program.name())).append(", written by Sublet.\n");
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() != Role.TEMPORARY) {
        file.append("   ").append(tensor.role() == Role.INPUT ? "input " : "output ");
        file.append(comment(tensor.name())).append(": ").append(tensor.type()).append('[');
        List<String> extents = new ArrayList<>();
        tensor.shape().forEach(extent -> extents.add(index.text(extent)));
        file.append(String.join(", ", extents)).append("]\n");
      }
    }
    for (Requirement requirement : program.requirements()) {
      file.append("   requires ").append(index.text(requirement.left()));
      file.append(" == ").append(index.text(requirement.right())).append('\n');
    }
    file.append("*/\n#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n\n");
  }

  /** Returns a name for use inside a C comment, without comment delimiters. */
  private static String comment(String name) {
    // Backslashes first: a slash in the place of one must not end the comment.
    return name.replace("\\", "/").replace("*/", "* /").replace("/*", "/ *").replace("\n", " ");
  }

  /** Returns the tensors that are parameters of the function, in order. */
  static ImmutableList<TensorDeclaration> tensorParameters(MicroProgram program) {
    ImmutableList.Builder<TensorDeclaration> parameters = ImmutableList.builder();
    for (Role role : new Role[] {Role.INPUT, Role.OUTPUT}) {
      for (TensorDeclaration tensor : program.tensors()) {
        if (tensor.role() == role) {
          parameters.add(tensor);
        }
      }
    }
    return parameters.build();
  }

  private List<String> pointers() {
    List<String> pointers = new ArrayList<>();
    for (TensorDeclaration tensor : tensorParameters(program)) {
      String constant = tensor.role() == Role.INPUT ? "const " : "";
      String type = CScope.type(tensor.type());
      pointers.add(constant + type + " *restrict " + scope.tensor(tensor.name()));
    }
    return pointers;
  }

  private List<String> scalars() {
    List<String> scalars = new ArrayList<>();
    for (TensorDeclaration tensor : program.tensors()) {
      for (int axis = 0; axis < tensor.rank(); axis++) {
        if (scope.isDecidedByCaller(tensor.name(), axis)) {
          scalars.add("int64_t " + scope.extent(tensor.name(), axis));
        }
      }
    }
    for (ScalarDeclaration parameter : program.parameters()) {
      scalars.add(CScope.type(parameter.type()) + " " + scope.parameter(parameter.name()));
    }
    return scalars;
  }

  /** Returns {@code (void)} statements for the arguments that the code does not use. */
  private static String unused(List<String> arguments, String body) {
    StringBuilder statements = new StringBuilder();
    Set<String> words = new HashSet<>(WORDS.splitToList(body));
    for (String argument : arguments) {
      String identifier = argument.substring(argument.lastIndexOf(' ') + 1);
      if (!words.contains(identifier)) {
        statements.append("  (void)").append(identifier).append(";\n");
      }
    }
    return statements.toString();
  }

  private void workspaceBytes(List<String> scalars, StringBuilder code) {
    scope.forget();
    StringBuilder body = new StringBuilder("  size_t bytes = 0;\n");
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.TEMPORARY) {
        body.append("  bytes += ").append(bytes(tensor)).append(";\n");
      }
    }
    String arguments = scalars.isEmpty() ? "void" : String.join(", ", scalars);
    code.append("size_t ").append(scope.prefix()).append("workspace_bytes(").append(arguments);
    code.append(") {\n")
        .append(unused(scalars, body.toString()))
        .append(body)
        .append("  return bytes;\n}\n\n");
  }

  private String bytes(TensorDeclaration tensor) {
    IndexExpression elements = new Constant(1);
    for (int axis = 0; axis < tensor.rank(); axis++) {
      IndexExpression extent = new AxisSize(tensor.name(), axis);
      elements = axis == 0 ? extent : new Arithmetic(Operator.MULTIPLY, elements, extent);
    }
    return scope.call(
        CHelper.ROUND_BYTES,
        "sizeof(" + CScope.type(tensor.type()) + ") * (size_t)" + index.atom(elements));
  }

  private String temporaries() {
    StringBuilder code = new StringBuilder();
    TensorDeclaration before = null;
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.TEMPORARY) {
        String type = CScope.type(tensor.type());
        boolean used = scope.isUsed(scope.peek(tensor.name()));
        String name = scope.tensor(tensor.name());
        code.append(
            before == null
                ? "  unsigned char *bytes = workspace;\n"
                : "  bytes += " + bytes(before) + ";\n");
        code.append("  ").append(type).append(" *const ").append(name);
        code.append(" = (").append(type).append(" *)(void *)bytes;\n");
        code.append(used ? "" : "  (void)" + name + ";\n");
        before = tensor;
      }
    }
    return code.toString();
  }

  /**
   * Returns the definitions of the extents that the blocks use, and of the extents that these are
   * computed from.
   */
  private String extents() {
    StringBuilder code = new StringBuilder();
    List<Map.Entry<IndexExpression, AxisSize>> computed =
        new ArrayList<>(scope.computedExtents().entrySet());
    for (Map.Entry<IndexExpression, AxisSize> extent : Lists.reverse(computed)) {
      AxisSize axis = extent.getValue();
      if (scope.isUsed(scope.peek(axis))) {
        CIndex body = CIndex.inside(scope, ImmutableList.of());
        code.insert(0, "  " + body.definition((Arithmetic) extent.getKey(), axis) + "\n");
      }
    }
    return code.toString();
  }

  private void blocks(StringBuilder code, ImmutableSet<String> given) {
    Iterator<NestCut> cuts = NestCuts.of(program, given, tiling).iterator();
    for (MicroFunction function : program.functions()) {
      code.append("  /* ").append(comment(function.name())).append(" */\n");
      for (LoopBlock block : function.blocks()) {
        NestCut cut = cuts.next();
        if (cut.tile() == null) {
          CBlock.write(scope, program, block, cut, code);
          continue;
        }
        code.append("  {\n");
        if (cut.panelBytes() > 0) {
          code.append("  float *const panels = (float *)(void *)((unsigned char *)workspace + ");
          code.append(temporaryBytes(program)).append(")");
          long ofPart = cut.panelBytes() / cut.parts() / Float.BYTES;
          code.append(cut.parts() == 1 ? ";\n" : " + " + ofPart + " * part;\n");
        }
        CBlock.write(scope, program, block, cut, code);
        code.append("  }\n");
      }
    }
  }
}
