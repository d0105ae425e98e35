package dev.sublet.paddle.runtime;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.paddle.runtime.OperatorTrace.Argument;
import dev.sublet.program.DataType;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The lines of Paddle's log. */
final class OperatorTraceTest {

  private static final String PREFIX = "I1121 08:00:26.836329 12077 operator.cc:281] Place(cpu) ";

  private static OperatorTrace parse(String outputs) {
    String line = PREFIX + "Op(some_op), inputs:{X[x:float[1]({})(Place(cpu))]}, outputs:{";
    assertThat(OperatorTrace.matches(line + outputs + "}.")).isTrue();
    return OperatorTrace.parse(line + outputs + "}.");
  }

  @Test
  void line_hasTypeAndPlaceInTheSource() {
    OperatorTrace trace = parse("");
    assertThat(trace.type()).isEqualTo("some_op");
    assertThat(trace.line()).isEqualTo("281");
    assertThat(trace.outputs()).isEmpty();
  }

  @Test
  void tensor_hasTypeShapeAndSequences() {
    assertThat(parse("Out[a.b_0:int64_t[7, 16]({{0, 2}{0, 4, 7}})(Place(cpu))]").outputs())
        .containsExactly(
            "Out",
            new Argument(
                "a.b_0",
                Optional.of(
                    new ObservedTensor(
                        Optional.of(DataType.INT64),
                        ImmutableLongArray.of(7, 16),
                        ImmutableList.of(
                            ImmutableLongArray.of(0, 2), ImmutableLongArray.of(0, 4, 7))))));
  }

  @Test
  void tensorWithoutMemory_hasNoType() {
    assertThat(parse("XShape[s:[0, 3]({})()]").outputs().get("XShape").get(0).tensor())
        .hasValue(
            new ObservedTensor(Optional.empty(), ImmutableLongArray.of(0, 3), ImmutableList.of()));
  }

  @Test
  void whateverIsNoWrittenTensor_isOnlyAName() {
    OperatorTrace trace =
        parse(
            "A[], B[unwritten:[0]({})()], C[array:[-1]({{}})()], D[rows[row_size=4]:float[4,"
                + " 2]({})(Place(cpu))], E[@EMPTY@[uninited], missing[uninited]]");
    assertThat(trace.outputs())
        .valuesForKey("E")
        .containsExactly(
            new Argument("@EMPTY@", Optional.empty()), new Argument("missing", Optional.empty()));
    trace.outputs().forEach((slot, argument) -> assertThat(argument.tensor()).isEmpty());
    assertThat(trace.outputs().keySet()).containsExactly("B", "C", "D", "E").inOrder();
  }
}
