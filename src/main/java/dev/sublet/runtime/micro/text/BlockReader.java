package dev.sublet.runtime.micro.text;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the lines of one block: nested loops and their statements. */
final class BlockReader {

  /**
   * The most loops in one nest. A deeper nest is taken for a mistake, and the limit bounds the
   * recursion of code that walks a nest.
   */
  static final int MAX_LOOPS = 100;

  private final SourcePositions positions;
  private final ProgramIndices indices;
  private final ProgramValues values;
  private final List<OpenLoop> loops = new ArrayList<>();

  /** The number of loops that contain the line read last; the innermost of them owns the line. */
  private int open;

  /** A loop whose lines are still being read. */
  private static final class OpenLoop {
    final int position;
    final int indent;
    final int id;
    final IndexExpression start;
    final IndexExpression end;
    final List<CarriedVariable> carried = new ArrayList<>();
    final List<Statement> statements = new ArrayList<>();

    /** The indentation of the lines of the loop's body; -1 before the first of them. */
    int bodyIndent = -1;

    OpenLoop(int position, int indent, int id, IndexExpression start, IndexExpression end) {
      this.position = position;
      this.indent = indent;
      this.id = id;
      this.start = start;
      this.end = end;
    }
  }

  BlockReader(SourcePositions positions) {
    this.positions = positions;
    this.indices = new ProgramIndices(positions);
    this.values = new ProgramValues(positions);
  }

  /** Reads the next line. */
  void add(MicroCursor line) {
    while (open > 0 && line.indent() <= loops.get(open - 1).indent) {
      open--;
    }
    if (line.isWord("for") && !line.isWordBefore("[") && !line.isWordBefore("![")) {
      addLoop(line);
    } else if (open == 0) {
      throw line.error("expected 'for': a block is one nest of loops");
    } else {
      OpenLoop loop = loops.get(open - 1);
      checkBody(line, loop);
      if (line.isWord("carry") && !line.isWordBefore("[") && !line.isWordBefore("![")) {
        addCarried(line, loop);
      } else {
        loop.statements.add(statement(line));
      }
    }
    line.expectEnd();
  }

  /** Returns the loops that were read, outermost first. */
  ImmutableList<Loop> loops() {
    ImmutableList.Builder<Loop> finished = ImmutableList.builder();
    for (OpenLoop loop : loops) {
      Loop read =
          new Loop(
              loop.id,
              loop.start,
              loop.end,
              ImmutableList.copyOf(loop.carried),
              ImmutableList.copyOf(loop.statements));
      finished.add(positions.add(read, loop.position));
    }
    return finished.build();
  }

  private static void checkBody(MicroCursor line, OpenLoop loop) {
    if (loop.bodyIndent < 0) {
      loop.bodyIndent = line.indent();
    }
    MicroProgramReader.checkIndent(line, loop.bodyIndent);
  }

  private void addLoop(MicroCursor line) {
    int start = line.position();
    if (open < loops.size() || (open > 0 && !loops.get(open - 1).statements.isEmpty())) {
      throw line.error(
          open == 0
              ? "a block is one nest of loops; begin another block"
              : "a loop holds at most one loop, and its own statements come after it");
    }
    if (loops.size() == MAX_LOOPS) {
      throw line.error("more than " + MAX_LOOPS + " loops in each other");
    }
    if (open > 0) {
      checkBody(line, loops.get(open - 1));
    }
    line.expectWord("for");
    int id = number(line, 'i', "a loop such as i0");
    line.expectWord("in");
    IndexExpression from = IndexParser.next(line, indices);
    line.expect("..");
    IndexExpression to = IndexParser.next(line, indices);
    loops.add(new OpenLoop(start, line.indent(), id, from, to));
    open++;
  }

  private void addCarried(MicroCursor line, OpenLoop loop) {
    int start = line.position();
    if (open < loops.size() || !loop.statements.isEmpty()) {
      throw line.error("carried variables come first in a loop");
    }
    line.expectWord("carry");
    int id = number(line, 'c', "a carried variable such as c0");
    line.expect("=");
    ReduceOperator operator = operator(line);
    ElementType type = line.elementType();
    loop.carried.add(positions.add(new CarriedVariable(id, operator, type), start));
  }

  /** Consumes a letter followed by a number, such as {@code i0}, and returns the number. */
  private static int number(MicroCursor line, char letter, String what) {
    String word = line.peekWord();
    int number = MicroName.numberIn(word, letter);
    if (number >= 0) {
      line.skip(word.length());
      return number;
    }
    throw line.error("expected " + what);
  }

  private static ReduceOperator operator(MicroCursor line) {
    for (ReduceOperator operator : ReduceOperator.values()) {
      if (line.acceptWord(operator.toString())) {
        return operator;
      }
    }
    throw line.error("expected sum, product, maximum, minimum, argmax or argmin");
  }

  private Statement statement(MicroCursor line) {
    int start = line.position();
    if (!line.isName()) {
      throw line.error("expected a statement");
    }
    String name = line.name();
    if (ProgramValues.isAccess(line)) {
      Access target = positions.add(values.target(name, line), start);
      return positions.add(store(line, target), start);
    }
    if (!line.accept("<<")) {
      throw line.error("expected [ or <<, as in x[i0] = … and c0 << …");
    }
    return positions.add(fold(line, name, start), start);
  }

  private Statement store(MicroCursor line, Access target) {
    if (line.accept("=")) {
      return new Statement.Assignment(target, ExpressionParser.next(line, values));
    }
    ReduceOperator operator;
    if (line.accept("+")) {
      operator = ReduceOperator.SUM;
    } else if (line.accept("*")) {
      operator = ReduceOperator.PRODUCT;
    } else if (line.isWord()) {
      operator = operator(line);
    } else {
      throw line.error("expected =, +=, *=, maximum= or minimum=");
    }
    line.expect("=");
    return new Statement.Accumulation(target, operator, ExpressionParser.next(line, values));
  }

  private Statement fold(MicroCursor line, String name, int start) {
    int id = MicroName.numberIn(name, 'c');
    if (id < 0) {
      throw line.error(
          "'" + MicroCursor.shortened(name) + "' is not a carried variable; one is c0", start);
    }
    Expression value = ExpressionParser.next(line, values);
    Optional<IndexExpression> position =
        line.acceptWord("at") ? Optional.of(IndexParser.next(line, indices)) : Optional.empty();
    return new Statement.Fold(id, value, position);
  }
}
