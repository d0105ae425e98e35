package dev.sublet.compile;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sublet.TranspileOptions;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.c.CCompiler;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Real programs and models, from the folder that SUBLET_CORPUS names, in C: the bits of the
 * executor. With {@code -Dsublet.long=true} also those that take longer.
 */
final class CompiledCorpusTest {

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "paddle/luong_infer/program.pdmodel          | x=1,3,224,224   | short",
        "paddle/t66y/program.pdmodel                 | image=1,3,64,64 | short",
        "paddle/ocr_rec_ultralight23/program.pdmodel | x=1,3,32,64     | short",
        "paddle/picodet_mainbody/program.pdmodel     | image=1,3,64,64 im_shape=1,2 scale_factor=1,2 | short",
        "paddle/paddledet_tt8000/program.pdmodel     | image=1,3,160,160 | long",
        "onnx/ch_ppocr_mobile_v2.0_cls_infer.onnx    | p2o.DynamicDimension.0=1"
            + " p2o.DynamicDimension.1=48 p2o.DynamicDimension.2=192 | short",
        "onnx/genai_tiny_gpt2_past.onnx              | batch_size=1 seq_len=1 past_seq_len=16"
            + " total_seq_len=17 | short",
        "paddle/clas_huxj/program.pdmodel            | x=1,3,224,224   | long",
        "paddle/slanet_ch/program.pdmodel            | x=1,3,64,64     | long",
        "paddle/ocr_samouch/program.pdmodel          | x=1,3,64,96     | long",
        "paddle/ppyoloe_l/program.pdmodel            | image=1,3,640,640 scale_factor=1,2 | long",
        "onnx/light_squeezenet.onnx                  |                 | long",
        "onnx/light_shufflenet.onnx                  |                 | long",
        "onnx/light_resnet50.onnx                    |                 | long",
        "onnx/superres.onnx                          | batch_size=1    | long",
        "onnx/ch_PP-OCRv4_det_infer.onnx             | p2o.DynamicDimension.0=1"
            + " p2o.DynamicDimension.1=640 p2o.DynamicDimension.2=640 | long",
      })
  void program_computesTheSameBits(String file, String shapes, String length) throws Exception {
    String corpus = System.getenv("SUBLET_CORPUS");
    assumeTrue(corpus != null, "skipped: SUBLET_CORPUS names no folder");
    CCompiler compiler = CCompiler.find();
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
    assumeTrue(length.equals("short") || LongForm.isOn(), "skipped: long runs are off");
    ReadProgram read = ProgramReader.readWithFormat(Path.of(corpus).resolve(file));
    ShapeOptions options = ShapeOptions.defaults();
    for (String shape : shapes == null ? new String[0] : shapes.split(" ")) {
      long[] extents =
          List.of(shape.substring(shape.indexOf('=') + 1).split(",")).stream()
              .mapToLong(Long::parseLong)
              .toArray();
      options = options.withShape(shape.substring(0, shape.indexOf('=')), extents);
    }
    CompiledRun run =
        CompiledRun.ofWeightsInFile(
            read.program(),
            read.model().isPresent()
                ? ModelParameters.read(read.model().get())
                : RandomTensors.parameters(read.program()),
            TranspileOptions.defaults().withShapes(options));
    run.check(compiler, folder, List.of(), "-O2");
  }
}
