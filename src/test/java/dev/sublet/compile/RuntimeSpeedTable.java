package dev.sublet.compile;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import dev.sublet.TranspileOptions;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.c.CCompiler;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * Prints how long ONNX models of the corpus take in C, on one thread, beside ONNX Runtime with its
 * default optimizations. Let nothing else run.
 */
public final class RuntimeSpeedTable {

  /** The extents of the only input of each model, and the open ones by name. */
  private static final ImmutableMap<String, Extents> MODELS =
      ImmutableMap.of(
          "light_squeezenet", new Extents("1,3,224,224", ""),
          "light_shufflenet", new Extents("1,3,224,224", ""),
          "light_resnet50", new Extents("1,3,224,224", ""),
          "superres", new Extents("1,1,224,224", "batch_size=1"),
          "ch_PP-OCRv4_det_infer",
              new Extents(
                  "1,3,640,640",
                  "p2o.DynamicDimension.0=1 p2o.DynamicDimension.1=640"
                      + " p2o.DynamicDimension.2=640"));

  private static final int RUNS = 20;

  private record Extents(String input, String open) {}

  private RuntimeSpeedTable() {}

  /** Prints a row per model, and the geometric means. */
  public static void main(String[] args) throws Exception {
    System.out.println(
        "| model | strict, ms | fast, ms | ONNX Runtime, ms | ONNX Runtime ÷ strict"
            + " | ONNX Runtime ÷ fast |");
    System.out.println("|---|--:|--:|--:|--:|--:|");
    Path corpus = Path.of(System.getenv("SUBLET_CORPUS"), "onnx");
    CCompiler compiler = CCompiler.find();
    double strictLogs = 0;
    double fastLogs = 0;
    for (Map.Entry<String, Extents> entry : MODELS.entrySet()) {
      Path model = corpus.resolve(entry.getKey() + ".onnx");
      CompiledRun compiled = compile(model, entry.getValue().open());
      Path folder = Files.createTempDirectory("speed");
      double own = time(compiled, compiler, folder, "-ffp-contract=off");
      double fast = time(compiled.withMath(MathMode.FAST), compiler, folder, "-ffp-contract=fast");
      double runtime = runtime(model, extents(entry.getValue().input()));
      System.out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f | %.1f | %.2f | %.2f |%n",
          entry.getKey(),
          own,
          fast,
          runtime,
          runtime / own,
          runtime / fast);
      strictLogs += Math.log(runtime / own);
      fastLogs += Math.log(runtime / fast);
    }
    System.out.printf(
        Locale.ROOT,
        "| geometric mean | | | | %.2f | %.2f |%n",
        Math.exp(strictLogs / MODELS.size()),
        Math.exp(fastLogs / MODELS.size()));
  }

  private static CompiledRun compile(Path model, String open) throws Exception {
    ReadProgram read = ProgramReader.readWithFormat(model);
    ShapeOptions shapes = ShapeOptions.defaults();
    for (String shape : Splitter.on(' ').omitEmptyStrings().split(open)) {
      int equals = shape.indexOf('=');
      shapes = shapes.withShape(shape.substring(0, equals), extents(shape.substring(equals + 1)));
    }
    return CompiledRun.of(
            read.program(),
            ModelParameters.read(read.model().orElseThrow()),
            TranspileOptions.defaults().withShapes(shapes))
        .withWeightsInFile();
  }

  private static double time(
      CompiledRun compiled, CCompiler compiler, Path folder, String contraction) throws Exception {
    return compiled
        .cost(compiler, folder, RUNS, "-O3", "-march=native", contraction)
        .milliseconds();
  }

  private static long[] extents(String text) {
    return Splitter.on(',').splitToStream(text).mapToLong(Long::parseLong).toArray();
  }

  /** Returns the milliseconds of the fastest run of ONNX Runtime. */
  private static double runtime(Path model, long[] extents) throws OrtException {
    int elements = 1;
    for (long extent : extents) {
      elements = Math.multiplyExact(elements, Math.toIntExact(extent));
    }
    float[] values = new float[elements];
    for (int i = 0; i < elements; i++) {
      values[i] = (float) Math.sin(i);
    }
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(1);
    options.setInterOpNumThreads(1);
    double fastest = Double.POSITIVE_INFINITY;
    try (OrtSession session = environment.createSession(model.toString(), options);
        OnnxTensor input =
            OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), extents)) {
      NodeInfo only = session.getInputInfo().values().iterator().next();
      ImmutableMap<String, OnnxTensor> feeds = ImmutableMap.of(only.getName(), input);
      for (int run = 0; run <= RUNS; run++) {
        long begin = System.nanoTime();
        session.run(feeds).close();
        fastest = Math.min(fastest, (System.nanoTime() - begin) * 1e-6);
      }
    }
    return fastest;
  }
}
