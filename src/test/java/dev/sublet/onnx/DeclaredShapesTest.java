package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.TextFormat;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import org.junit.jupiter.api.Test;

/**
 * What a model declares of values whose extents change with the iterations of a loop: a row is
 * added to what is carried each time.
 */
final class DeclaredShapesTest {

  private static final String ANY_ROWS = "dim { } dim { dim_value: 4 }";
  private static final String ONE_ROW = "dim { dim_value: 1 } dim { dim_value: 4 }";
  private static final String FIVE_ROWS = "dim { dim_value: 5 } dim { dim_value: 4 }";
  private static final String SOME_ROWS = "dim { dim_param: 'n' } dim { dim_value: 4 }";

  @Test
  void nothingDeclared_isUnknown() throws TextFormat.ParseException {
    Program program = program(ANY_ROWS, "", "");
    assertThat(dims(program, ShapeOptions.defaults(), "result")).isEqualTo("[-1, 4]");
    assertThat(dims(program, ShapeOptions.defaults(), "last")).isEqualTo("[-1, 4]");
  }

  @Test
  void ofAFixedNumberOfIterations_aBoundIsKnown() throws TextFormat.ParseException {
    String four = "initializer { name: 'trips' data_type: 7 int64_data: 4 }";
    Program program = program(four, ANY_ROWS, "", "");
    assertThat(dims(program, ShapeOptions.defaults(), "next")).isEqualTo("[5, 4]");
    assertThat(dims(program, ShapeOptions.defaults(), "result")).isEqualTo("[5, 4]");
  }

  @Test
  void inTheBody_itHoldsInEveryIteration() throws TextFormat.ParseException {
    Program program = program(ANY_ROWS, ONE_ROW, "");
    assertThat(dims(program, ShapeOptions.defaults(), "last")).isEqualTo("[1, 4]");
    assertThat(dims(program, ShapeOptions.defaults(), "result")).isEqualTo("[-1, 4]");
  }

  @Test
  void ofTheResult_itIsNotTakenForWhatIsCarried() throws TextFormat.ParseException {
    Program program = program(ANY_ROWS, "", FIVE_ROWS);
    assertThat(dims(program, ShapeOptions.defaults(), "state")).isEqualTo("[-1, 4]");
    assertThat(dims(program, ShapeOptions.defaults(), "result")).isEqualTo("[5, 4]");
    assertThat(dims(program, ShapeOptions.defaults(), "behind")).isEqualTo("[5, 4]");
  }

  @Test
  void ofTheResultByName_itHoldsIfTheNameIsBound() throws TextFormat.ParseException {
    Program program = program(ANY_ROWS, "", SOME_ROWS);
    assertThat(dims(program, ShapeOptions.defaults(), "behind")).isEqualTo("[-1, 4]");
    ShapeOptions bound =
        new ShapeOptions(1, ImmutableMap.of("n", ImmutableLongArray.of(5)), ImmutableMap.of());
    assertThat(dims(program, bound, "behind")).isEqualTo("[5, 4]");
  }

  /** Exporters that trace declare what the first iteration shows. */
  @Test
  void outgrown_itIsNotBelieved() throws TextFormat.ParseException {
    Program program = program(ONE_ROW, "", ONE_ROW);
    assertThat(dims(program, ShapeOptions.defaults(), "result")).isEqualTo("[-1, 4]");
    assertThat(dims(program, ShapeOptions.defaults(), "behind")).isEqualTo("[-1, 4]");
  }

  /**
   * A model.
   *
   * @param carried the declared extents of what the body takes and hands on
   * @param last those of the last row of what is carried, which no rule finds to be one
   * @param result those of the loop's result, and of what is computed from it
   */
  private static Program program(String carried, String last, String result)
      throws TextFormat.ParseException {
    String fed = "input { name: 'trips' type { tensor_type { elem_type: 7 shape { } } } }";
    return program(fed, carried, last, result);
  }

  private static Program program(String trips, String carried, String last, String result)
      throws TextFormat.ParseException {
    String text =
        """
        opset_import { version: 17 }
        graph {
          input { INFO(x, dim { dim_value: 1 } dim { dim_value: 4 }) }
          TRIPS
          initializer { name: 'from' data_type: 7 dims: 1 int64_data: -1 }
          initializer { name: 'to' data_type: 7 dims: 1 int64_data: 1000000 }
          node {
            op_type: 'Loop'
            input: ['trips', '', 'x']
            output: 'result'
            attribute {
              name: 'body'
              g {
                input { name: 'i' type { tensor_type { elem_type: 7 shape { } } } }
                input { name: 'go' type { tensor_type { elem_type: 9 shape { } } } }
                input { INFO(state, CARRIED) }
                node {
                  op_type: 'Concat' input: ['state', 'x'] output: 'next'
                  attribute { name: 'axis' i: 0 type: INT }
                }
                node { op_type: 'Slice' input: ['next', 'from', 'to'] output: 'last' }
                output { name: 'go' }
                output { INFO(next, CARRIED) }
                value_info { INFO(last, LAST) }
              }
            }
          }
          node { op_type: 'Relu' input: 'result' output: 'behind' }
          output { INFO(behind, RESULT) }
          value_info { INFO(result, RESULT) }
        }
        """
            .replace("TRIPS", trips)
            .replace("CARRIED", carried)
            .replace("LAST", last)
            .replace("RESULT", result)
            .replaceAll(
                "INFO\\((\\w+), (.+)\\)",
                "name: '$1' type { tensor_type { elem_type: 1 shape { $2 } } }")
            .replaceAll("INFO\\((\\w+), \\)", "name: '$1' type { tensor_type { elem_type: 1 } }");
    ModelProto.Builder model = ModelProto.newBuilder();
    TextFormat.merge(text, model);
    return OnnxModel.of(model.build()).program();
  }

  /** The extents of the variable whose name begins so; -1 for one that is not known. */
  private static String dims(Program program, ShapeOptions options, String name) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    Sizes sizes =
        ShapeInference.infer(program, catalog, LodCarriers.find(program, catalog), options);
    for (Variable variable : program.variables()) {
      if (variable.name().equals(name)) {
        return sizes.dims(variable.index()).toString();
      }
    }
    throw new AssertionError("no variable '" + name + "' in " + program.variables());
  }
}
