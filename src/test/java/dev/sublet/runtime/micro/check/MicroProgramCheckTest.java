package dev.sublet.runtime.micro.check;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.RandomMicroPrograms;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * The check of programs that no text gives; what texts give is in {@code testdata/micro_errors}.
 */
final class MicroProgramCheckTest {

  private static final IndexExpression ZERO = new IndexExpression.Constant(0);
  private static final IndexExpression ONE = new IndexExpression.Constant(1);

  private static MicroProgram program(ElementType type, Expression value) {
    Statement store = new Statement.Assignment(Access.of("y", ImmutableList.of()), value);
    return program(type, new Loop(0, ZERO, ONE, ImmutableList.of(), ImmutableList.of(store)));
  }

  private static MicroProgram program(ElementType type, Loop... loops) {
    return new MicroProgram(
        "p",
        ImmutableList.of(),
        ImmutableList.of(new TensorDeclaration("y", Role.OUTPUT, type, ImmutableList.of())),
        ImmutableList.of(),
        ImmutableList.of(
            new MicroFunction("f", ImmutableList.of(new LoopBlock(ImmutableList.copyOf(loops))))));
  }

  private static void assertInvalid(MicroProgram program, String message) {
    InvalidMicroProgramException e =
        assertThrows(InvalidMicroProgramException.class, () -> MicroProgramCheck.check(program));
    assertThat(e).hasMessageThat().isEqualTo("function f, block 0: " + message);
    assertThat(e.problem()).isEqualTo(message);
  }

  @Test
  void literals_fitTheirType() {
    for (long value : new long[] {1L << 31, Long.MIN_VALUE, -(1L << 31) - 1}) {
      Expression literal = new Expression.IntegerLiteral(ElementType.INT32, value);
      assertInvalid(program(ElementType.INT32, literal), value + " does not fit in int32");
    }
    assertInvalid(
        program(ElementType.BOOL, new Expression.IntegerLiteral(ElementType.BOOL, 2)),
        "2 does not fit in bool");
    MicroProgramCheck.check(
        program(ElementType.BOOL, new Expression.IntegerLiteral(ElementType.BOOL, 1)));
  }

  @Test
  void numbers_areNotNegative() {
    assertInvalid(
        program(ElementType.BOOL, new Loop(-1, ZERO, ONE, ImmutableList.of(), ImmutableList.of())),
        "loop i-1 has a negative number");
    CarriedVariable carried = new CarriedVariable(-1, ReduceOperator.SUM, ElementType.FLOAT32);
    assertInvalid(
        program(
            ElementType.BOOL,
            new Loop(0, ZERO, ONE, ImmutableList.of(carried), ImmutableList.of())),
        "carried variable c-1 has a negative number");
  }

  @Test
  void aFoldInItsOwnLoop_isAllowed() {
    CarriedVariable carried = new CarriedVariable(0, ReduceOperator.SUM, ElementType.INT64);
    Statement fold = new Statement.Fold(0, new Expression.IndexValue(ONE), Optional.empty());
    MicroProgramCheck.check(
        program(
            ElementType.BOOL,
            new Loop(0, ZERO, ONE, ImmutableList.of(carried), ImmutableList.of(fold))));
  }

  /** What is declared twice, removed or renamed is noticed wherever it was used. */
  @Property(tries = 500)
  void aProgramWithoutOneOfItsTensors_isInvalidOrDoesNotMentionIt(@ForAll long seed) {
    MicroProgram program = RandomMicroPrograms.generate(seed);
    int gone = new Random(seed).nextInt(program.tensors().size());
    String name = MicroName.text(program.tensors().get(gone).name());
    ImmutableList.Builder<TensorDeclaration> rest = ImmutableList.builder();
    for (int i = 0; i < program.tensors().size(); i++) {
      if (i != gone) {
        rest.add(program.tensors().get(i));
      }
    }
    MicroProgram without =
        new MicroProgram(
            "p", program.parameters(), rest.build(), program.requirements(), program.functions());
    String text = without.toString();
    boolean mentioned =
        text.contains(name + "[") || text.contains(name + "![") || text.contains("d(" + name + ",");
    try {
      MicroProgramCheck.check(without);
      assertThat(mentionedForCertain(without, program.tensors().get(gone).name())).isFalse();
    } catch (InvalidMicroProgramException e) {
      assertThat(mentioned).isTrue();
      assertThat(e.problem()).isEqualTo("tensor " + name + " is not declared");
    }
  }

  /** Whether an assignment of a program stores into a tensor. */
  private static boolean mentionedForCertain(MicroProgram program, String tensor) {
    for (MicroFunction function : program.functions()) {
      for (LoopBlock block : function.blocks()) {
        for (Loop loop : block.loops()) {
          for (Statement statement : loop.statements()) {
            if (statement instanceof Statement.Assignment store
                && store.target().tensor().equals(tensor)) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }
}
