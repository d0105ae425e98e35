package dev.sublet.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.gson.JsonParser;
import dev.sublet.cli.CommandRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Prints the table of docs/onnx.md that compares Sublet's arenas with the memory that ONNX Runtime
 * plans for the same model and shapes.
 *
 * <p>ONNX Runtime derives a memory pattern from a model's first run and takes its bytes in one
 * piece in every later run. Here it returns them after each run, so that its log states the
 * request. Weights are kept out of that arena. The pattern contains neither inputs nor results;
 * Sublet's arena contains both, so their bytes are added.
 *
 * <p>ONNX Runtime's graph optimizations change the operators. The last columns are for the changed
 * model, which ONNX Runtime saves to a file and Sublet plans.
 */
public final class RuntimeArenaTable {

  /**
   * The models of the jars, then those of {@code SUBLET_CORPUS}, with the shapes of their inputs.
   */
  private static final ImmutableMap<String, String> MODELS =
      ImmutableMap.of(
          "/all-minilm-l6-v2-q.onnx",
          "input_ids=1,128 attention_mask=1,128 token_type_ids=1,128",
          "/bge-small-en-v1.5-q.onnx",
          "input_ids=1,128 attention_mask=1,128 token_type_ids=1,128",
          "ch_PP-OCRv4_det_infer.onnx",
          "x=1,3,640,640",
          "superres.onnx",
          "input=1,1,224,224",
          "light_squeezenet.onnx",
          "data_0=1,3,224,224",
          "light_shufflenet.onnx",
          "gpu_0/data_0=1,3,224,224",
          "light_resnet50.onnx",
          "gpu_0/data_0=1,3,224,224",
          "ch_ppocr_mobile_v2.0_cls_infer.onnx",
          "x=1,3,48,192");

  private static final Pattern REQUEST = Pattern.compile("\\(requested\\) num_bytes: (\\d+)");

  /** The runtime's arena keeps this much at all times: a smaller request is not in the log. */
  private static final long FIRST_CHUNK = 1 << 20;

  private static final long UNKNOWN = -1;

  private RuntimeArenaTable() {}

  /** Without arguments prints the table; with a model, a level and shapes runs it, for the log. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      run(Path.of(args[0]), OptLevel.valueOf(args[1]), List.of(args).subList(2, args.length));
      return;
    }
    System.out.println(
        "| model | arena | ONNX Runtime | ÷ | optimized: arena | ONNX Runtime | ÷ |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|");
    for (Map.Entry<String, String> model : MODELS.entrySet()) {
      Path file = file(model.getKey());
      if (Files.exists(file)) {
        List<String> shapes = Splitter.on(' ').splitToList(model.getValue());
        long arena = arena(file, shapes);
        long asSaved = runtime(file, OptLevel.NO_OPT, shapes);
        long arenaOfOptimized = arena(optimized(file), shapes);
        long optimized = runtime(file, OptLevel.EXTENDED_OPT, shapes);
        System.out.printf(
            Locale.ROOT,
            "| %s | %,d | %s | %,d | %s |%n",
            file.getFileName().toString().replace(".onnx", ""),
            arena,
            cells(asSaved, arena),
            arenaOfOptimized,
            cells(optimized, arenaOfOptimized));
      }
    }
  }

  private static String cells(long runtime, long arena) {
    return runtime == UNKNOWN
        ? "– | –"
        : String.format(Locale.ROOT, "%,d | %.3f", runtime, (double) arena / runtime);
  }

  private static Path file(String name) throws IOException {
    if (!name.startsWith("/")) {
      return Path.of(System.getenv().getOrDefault("SUBLET_CORPUS", "."), "onnx", name);
    }
    Path file = Files.createDirectories(Path.of("target", "models")).resolve(name.substring(1));
    try (InputStream stream = RuntimeArenaTable.class.getResourceAsStream(name)) {
      Files.write(file, stream.readAllBytes());
    }
    return file;
  }

  /** Saves the model that ONNX Runtime runs after its optimizations for any machine. */
  private static Path optimized(Path model) throws IOException, OrtException {
    Path target = Files.createDirectories(Path.of("target", "models")).resolve("optimized.onnx");
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(OptLevel.EXTENDED_OPT);
      options.setOptimizedModelFilePath(target.toString());
      OrtEnvironment.getEnvironment().createSession(model.toString(), options).close();
    }
    return target;
  }

  private static long arena(Path model, List<String> shapes) {
    List<Object> arguments = new ArrayList<>(List.of("plan", model, "--json", "-q"));
    for (String shape : shapes) {
      arguments.addAll(List.of("--shape", shape));
    }
    CommandRun run = CommandRun.of(arguments.toArray());
    return JsonParser.parseString(run.text()).getAsJsonObject().get("arena_bytes").getAsLong();
  }

  /** Runs a model in a process of its own, whose log is read: ONNX Runtime writes it itself. */
  private static long runtime(Path model, OptLevel level, List<String> shapes)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("java", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(RuntimeArenaTable.class.getName(), model.toString(), level.name()));
    command.addAll(shapes);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(log.substring(Math.max(0, log.length() - 2000)));
    }
    String last = log.substring(log.lastIndexOf("\nlast run, "));
    long pattern =
        REQUEST
            .matcher(last)
            .results()
            .mapToLong(request -> Long.parseLong(request.group(1)))
            .max()
            .orElse(0);
    String fed =
        Splitter.on(' ').splitToList(last.lines().skip(1).findFirst().orElseThrow()).get(2);
    return pattern < FIRST_CHUNK ? UNKNOWN : pattern + Long.parseLong(fed);
  }

  private static void run(Path model, OptLevel level, List<String> shapes) throws OrtException {
    OrtEnvironment environment =
        OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_INFO, "sublet");
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_INFO);
    options.setIntraOpNumThreads(1);
    options.setOptimizationLevel(level);
    options.addConfigEntry("session.use_device_allocator_for_initializers", "1");
    OrtSession.RunOptions shrinking = new OrtSession.RunOptions();
    shrinking.addRunConfigEntry("memory.enable_memory_arena_shrinkage", "cpu:0");
    try (OrtSession session = environment.createSession(model.toString(), options)) {
      Map<String, OnnxTensor> inputs = new HashMap<>();
      for (String shape : shapes) {
        List<String> parts = Splitter.on('=').splitToList(shape);
        inputs.put(parts.get(0), ones(environment, session, parts.get(0), parts.get(1)));
      }
      long bytes = 0;
      for (OnnxTensor input : inputs.values()) {
        bytes += bytes(input);
      }
      long results = 0;
      try (OrtSession.Result first = session.run(inputs, shrinking)) {
        for (Map.Entry<String, OnnxValue> result : first) {
          results += bytes((OnnxTensor) result.getValue());
        }
      }
      session.run(inputs, shrinking).close();
      System.err.println("\nlast run, " + (bytes + results) + " bytes of inputs and results");
      session.run(inputs, shrinking).close();
    }
  }

  private static OnnxTensor ones(
      OrtEnvironment environment, OrtSession session, String name, String shape)
      throws OrtException {
    NodeInfo input = session.getInputInfo().get(name);
    if (input == null) {
      throw new IllegalArgumentException(name + " is none of " + session.getInputNames());
    }
    OnnxJavaType type = ((TensorInfo) input.getInfo()).type;
    long[] extents = Splitter.on(',').splitToStream(shape).mapToLong(Long::parseLong).toArray();
    long elements = 1;
    for (long extent : extents) {
      elements *= extent;
    }
    ByteBuffer data =
        ByteBuffer.allocateDirect(Math.toIntExact(elements * type.size))
            .order(ByteOrder.nativeOrder());
    while (data.hasRemaining()) {
      if (type == OnnxJavaType.INT64) {
        data.putLong(1);
      } else {
        data.putFloat(1);
      }
    }
    return OnnxTensor.createTensor(environment, data.flip(), extents, type);
  }

  private static long bytes(OnnxTensor tensor) {
    TensorInfo info = tensor.getInfo();
    long bytes = info.type.size;
    for (long extent : info.getShape()) {
      bytes *= extent;
    }
    return bytes;
  }
}
