package dev.sublet.shape;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

final class OpenExtentsTest {

  private static final OperatorCatalog CATALOG = OperatorCatalog.standard();

  @Test
  void leadingExtent_isTheBatch() {
    assertThat(find("feed x: fp32[-1,3]\n  y = relu(x)", ShapeOptions.defaults()).isEmpty())
        .isTrue();
  }

  @Test
  void example_namesTheFeedWithTheBatch() {
    OpenExtents open =
        find("feed x: fp32[-1,3,-1,-1]\n  y = relu(x)", ShapeOptions.defaults().withBatch(4));

    assertThat(open.names()).isEqualTo("the shape of 'x'");
    assertThat(open.example(CATALOG)).isEqualTo("--shape x=4,3,16,16");
  }

  @Test
  void example_hasTheFirstNumberThatTheOperatorsAccept() {
    String pool = "y = pool2d(x) {pooling_type: \"max\", ksize: [40, 40], strides: [1, 1]}";

    OpenExtents open = find("feed x: fp32[1,3,-1,-1]\n  " + pool, ShapeOptions.defaults());

    assertThat(open.example(CATALOG)).isEqualTo("--shape x=1,3,64,64");
  }

  @Test
  void example_withoutSuchANumber_hasALetter() {
    String sum = "w = fill_constant() {shape: [7], value: 1.0}\n  y = elementwise_add(X: x, Y: w)";

    OpenExtents open = find("feed x: fp32[2,-1]\n  " + sum, ShapeOptions.defaults());

    assertThat(open.example(CATALOG)).isEqualTo("--shape x=2,N");
  }

  @Test
  void rowsOfSequences_areOpen() {
    String feed = "feed words: int64[-1,1] lod(1)\n  feed x: fp32[-1,4]\n  y = relu(words)";

    OpenExtents open = find(feed, ShapeOptions.defaults());

    assertThat(open.names()).isEqualTo("the shape of 'words'");
    assertThat(open.example(CATALOG)).isEqualTo("--shape words=16,1");
  }

  @Test
  void givenShape_closesItsFeed() {
    String feeds = "feed a: fp32[1,-1]\n  feed b: fp32[1,-1]\n  y = relu(a)\n  z = relu(b)";

    OpenExtents open = find(feeds, ShapeOptions.defaults().withShape("a", 1, 5));

    assertThat(open.names()).isEqualTo("the shape of 'b'");
  }

  @Test
  void batchThatAnotherShapeBinds_isThatOfTheExample() {
    String feeds = "feed a: fp32[-1,3]\n  feed b: fp32[-1,-1]\n  y = relu(a)\n  z = relu(b)";

    OpenExtents open = find(feeds, ShapeOptions.defaults().withShape("a", 4, 3));

    assertThat(open.example(CATALOG)).isEqualTo("--shape b=4,16");
  }

  private static OpenExtents find(String lines, ShapeOptions given) {
    Program program = ProgramText.parse("default fp32[]\nblock 0\n  " + lines + "\n  fetch(y)");
    return OpenExtents.find(program, LodCarriers.find(program, CATALOG), given);
  }
}
