package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sublet.codec.program.ProgramReader;
import dev.sublet.diag.ProgramException;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.picture.Picture;
import dev.sublet.picture.SvgPicture;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.shape.ShapeOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the README's second example of the library does. */
final class ResultPicturesTest {

  private static final Program PROGRAM =
      ProgramReader.read(Path.of("testdata/examples/mobile_block/program.textproto"));

  private static final TranspileOptions OPTIONS =
      TranspileOptions.defaults()
          .withShapes(ShapeOptions.defaults().withShape("image", 8, 3, 32, 32))
          .withOffsets(OffsetOptions.defaults().withCapacity(8 << 20));

  @Test
  void aPlan_isDrawnOverItsProgram() {
    MemoryPlan plan = Transpiler.plan(PROGRAM, OPTIONS).plan();

    Allocation image = plan.allocationsByVariable().get(new VariableId(0, "image")).get(0);
    assertThat(image.bytes()).isEqualTo(8 * 3 * 32 * 32 * 4);
    Picture picture = ResultPictures.ofPlan("my net", PROGRAM, plan);
    String svg = new String(SvgPicture.toBytes(picture), StandardCharsets.UTF_8);
    assertThat(svg).contains("my net");
    assertThat(svg).contains("image");
  }

  @Test
  void aPlanOfAnotherProgram_isRefused() {
    TranspileResult result = Transpiler.transpile(PROGRAM, OPTIONS);

    ProgramException e =
        assertThrows(
            ProgramException.class, () -> ResultPictures.ofPlan("p", PROGRAM, result.plan()));

    assertThat(e).hasMessageThat().startsWith("the plan is for a program with SHA-256 ");
    assertThat(SvgPicture.toBytes(ResultPictures.ofRewrite("r", result))).isNotEmpty();
  }
}
