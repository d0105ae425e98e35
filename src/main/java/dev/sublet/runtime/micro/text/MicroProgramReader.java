package dev.sublet.runtime.micro.text;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.check.InvalidMicroProgramException;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a program line by line. {@link MicroProgramCheck} then checks the program; its errors get
 * the position at which the offending part was read.
 */
final class MicroProgramReader {

  private final String text;
  private final ImmutableList<MicroCursor> lines;
  private final SourcePositions positions = new SourcePositions();
  private final ProgramIndices indices = new ProgramIndices(positions);
  private final List<ScalarDeclaration> parameters = new ArrayList<>();
  private final List<TensorDeclaration> tensors = new ArrayList<>();
  private final List<Requirement> requirements = new ArrayList<>();

  /** The index of the next line. */
  private int next;

  private MicroProgramReader(String text) {
    this.text = requireNonNull(text, "text");
    this.lines = MicroCursor.lines(text);
  }

  /** Reads a program and checks it. */
  static MicroProgram read(String text) {
    MicroProgramReader reader = new MicroProgramReader(text);
    MicroProgram program = reader.program();
    try {
      MicroProgramCheck.check(program);
    } catch (InvalidMicroProgramException e) {
      throw new MicroSyntaxException(e.problem(), text, reader.positions.of(e.culprit()));
    }
    return program;
  }

  private MicroProgram program() {
    if (lines.isEmpty()) {
      throw new MicroSyntaxException("expected 'program'", text, text.length());
    }
    MicroCursor line = lines.get(next++);
    checkIndent(line, 0);
    if (!line.acceptWord("program")) {
      throw line.error("expected 'program', or 'micro' if these are micro ops");
    }
    String name = line.name();
    line.expectEnd();
    while (next < lines.size() && !lines.get(next).isWord("function")) {
      declaration(lines.get(next++));
    }
    List<MicroFunction> functions = new ArrayList<>();
    while (next < lines.size()) {
      functions.add(function());
    }
    return new MicroProgram(
        name,
        ImmutableList.copyOf(parameters),
        ImmutableList.copyOf(tensors),
        ImmutableList.copyOf(requirements),
        ImmutableList.copyOf(functions));
  }

  private void declaration(MicroCursor line) {
    checkIndent(line, 0);
    int start = line.position();
    if (line.acceptWord("parameter")) {
      line.expect("$");
      String name = line.name();
      line.expect(":");
      parameters.add(positions.add(new ScalarDeclaration(name, line.elementType()), start));
    } else if (line.acceptWord("require")) {
      IndexExpression left = IndexParser.next(line, indices);
      line.expect("=");
      requirements.add(new Requirement(left, IndexParser.next(line, indices)));
    } else {
      tensors.add(positions.add(tensor(line), start));
    }
    line.expectEnd();
  }

  private TensorDeclaration tensor(MicroCursor line) {
    Role role = role(line);
    String name = line.name();
    line.expect(":");
    ElementType type = line.elementType();
    line.expect("[");
    List<IndexExpression> shape = new ArrayList<>();
    if (!line.isNext("]")) {
      do {
        shape.add(extent(line, role, name, shape.size()));
      } while (line.accept(","));
    }
    line.expect("]");
    return new TensorDeclaration(name, role, type, ImmutableList.copyOf(shape));
  }

  private static Role role(MicroCursor line) {
    for (Role role : Role.values()) {
      if (line.acceptWord(role.toString())) {
        return role;
      }
    }
    throw line.error(
        "expected 'parameter', 'input', 'output', 'temporary', 'require' or 'function'");
  }

  private IndexExpression extent(MicroCursor line, Role role, String tensor, int axis) {
    if (!line.isNext("?")) {
      return IndexParser.next(line, indices);
    }
    if (role != Role.INPUT) {
      throw line.error("the caller decides extents of inputs only");
    }
    line.expect("?");
    return new AxisSize(tensor, axis);
  }

  private MicroFunction function() {
    MicroCursor line = lines.get(next++);
    line.expectWord("function");
    checkIndent(line, 0);
    String name = line.name();
    line.expectEnd();
    List<LoopBlock> blocks = new ArrayList<>();
    int indent = next < lines.size() ? lines.get(next).indent() : 0;
    while (next < lines.size() && lines.get(next).indent() > 0) {
      blocks.add(block(indent));
    }
    return new MicroFunction(name, ImmutableList.copyOf(blocks));
  }

  private LoopBlock block(int indent) {
    MicroCursor line = lines.get(next++);
    checkIndent(line, indent);
    int start = line.position();
    line.expectWord("block");
    line.expectEnd();
    BlockReader block = new BlockReader(positions);
    while (next < lines.size() && lines.get(next).indent() > indent) {
      block.add(lines.get(next++));
    }
    ImmutableList<Loop> loops = block.loops();
    if (loops.isEmpty()) {
      throw line.error("a block without loops", start);
    }
    return new LoopBlock(loops);
  }

  static void checkIndent(MicroCursor line, int indent) {
    if (line.indent() != indent) {
      throw line.error("expected " + indent + " blanks in front of the line, not " + line.indent());
    }
  }
}
