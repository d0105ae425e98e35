package dev.sublet.runtime.micro.op;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.tensor.ElementType.FLOAT64;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sublet.runtime.micro.ir.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tensors of an emitted program have different names, so what could clash is refused. */
final class MicroGraphBuilderNamesTest {

  private final MicroGraphBuilder g = new MicroGraphBuilder("graph");
  private final MicroValue x = g.input("x", FLOAT64, 1);
  private final MicroValue y = g.unary(UnaryOperator.SIN, x);
  private final MicroValue z = g.named("z", g.unary(UnaryOperator.COS, x));

  @Test
  void output_mayHaveTheNameOfItsOwnValue() {
    g.output("z", z);
    g.output("other", z);
    assertThat(g.build().outputs()).containsExactly("z", z, "other", z);
  }

  @Test
  void output_cannotHaveTheNameOfAnotherValue() {
    assertThat(assertThrows(IllegalArgumentException.class, () -> g.output("z", y)))
        .hasMessageThat()
        .isEqualTo("the name z is taken");
  }

  @Test
  void output_cannotBeTheInputItself() {
    assertThrows(IllegalArgumentException.class, () -> g.output("x", x));
  }

  @Test
  void value_cannotHaveTheNameOfAnOutput() {
    g.output("y", y);
    assertThrows(IllegalArgumentException.class, () -> g.input("y", FLOAT64, 1));
    g.output("z", z);
    g.named("renamed", z);
    assertThrows(IllegalArgumentException.class, () -> g.named("z", y));
  }
}
