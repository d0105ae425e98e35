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
import com.google.gson.JsonObject;
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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
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
 * <p>ONNX Runtime's graph optimizations change the operators. The further columns are for the
 * changed model, which ONNX Runtime saves to a file and Sublet plans; in the last ones Sublet may
 * change the order of its nodes.
 */
public final class RuntimeArenaTable {

  /**
   * The models of the jars, then those of {@code SUBLET_CORPUS}, with the shapes of their inputs,
   * and the value of a number. The batches of small models are large enough for the log.
   */
  private static final ImmutableMap<String, String> MODELS =
      ImmutableMap.<String, String>builder()
          .put(
              "/all-minilm-l6-v2-q.onnx",
              "input_ids=1,128 attention_mask=1,128 token_type_ids=1,128")
          .put(
              "/bge-small-en-v1.5-q.onnx",
              "input_ids=1,128 attention_mask=1,128 token_type_ids=1,128")
          .put("ch_PP-OCRv4_det_infer.onnx", "x=1,3,640,640")
          .put("superres.onnx", "input=1,1,224,224")
          .put("light_squeezenet.onnx", "data_0=1,3,224,224")
          .put("light_shufflenet.onnx", "gpu_0/data_0=1,3,224,224")
          .put("light_resnet50.onnx", "gpu_0/data_0=1,3,224,224")
          .put("ch_ppocr_mobile_v2.0_cls_infer.onnx", "x=8,3,48,192")
          .put("silero_vad_v5.onnx", "input=512,576 state=2,512,128 sr=:16000")
          .put(
              "genai_tiny_gpt2_past.onnx",
              "input_ids=32,64 position_ids=32,64 attention_mask=32,80 past_0=2,32,4,16,8"
                  + " past_1=2,32,4,16,8 past_2=2,32,4,16,8 past_3=2,32,4,16,8"
                  + " past_4=2,32,4,16,8")
          .buildOrThrow();

  private static final Pattern REQUEST = Pattern.compile("\\(requested\\) num_bytes: (\\d+)");

  /**
   * The first piece of the runtime's arena, which it keeps at all times, has at least this size: a
   * smaller request is not in the log.
   */
  private static final long FIRST_CHUNK = 1 << 20;

  private static final long UNKNOWN = -1;

  /** Values of {@code session.use_device_allocator_for_initializers}. */
  private static final String WEIGHTS_APART = "1";

  private static final String WEIGHTS_IN_ARENA = "0";

  private RuntimeArenaTable() {}

  /** Without arguments prints the table; with a model and options runs it, for the log. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      List<String> shapes = List.of(args).subList(3, args.length);
      run(Path.of(args[0]), OptLevel.valueOf(args[1]), args[2], shapes);
      return;
    }
    System.out.println(
        "| model | arena | bound | ONNX Runtime | ÷ | optimized: arena | bound | ONNX Runtime | ÷ | in"
            + " a better order | bound | ÷ |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    List<Row> rows = new ArrayList<>();
    for (Map.Entry<String, String> model : MODELS.entrySet()) {
      Path file = file(model.getKey());
      if (Files.exists(file)) {
        rows.add(print(Row.of(file, Splitter.on(' ').splitToList(model.getValue()))));
      }
    }
    for (Map.Entry<String, String> model : MadeModels.SHAPES.entrySet()) {
      Path file = models().resolve(model.getKey() + ".onnx");
      Files.write(file, MadeModels.of(model.getKey()).model().toByteArray());
      rows.add(print(Row.of(file, List.of(model.getValue()))));
    }
    System.out.printf(
        Locale.ROOT,
        "| geometric mean | | | | %.3f | | | | %.3f | | | %.3f |%n",
        mean(rows, row -> ratio(row.planOfSaved(), row.runtime())),
        mean(rows, row -> ratio(row.planOfOptimized(), row.runtimeOfOptimized())),
        mean(rows, row -> ratio(row.planInOrder(), row.runtimeOfOptimized())));
  }

  /** The bytes of a plan, and the lower bound that its summary states. */
  private record Planned(long arena, long bound) {

    /** Cells of the table. */
    String cells() {
      return String.format(Locale.ROOT, "%,d | %,d", arena, bound);
    }
  }

  /**
   * The bytes that Sublet and ONNX Runtime plan.
   *
   * @param planInOrder Sublet's for the optimized model with {@code --schedule memory}
   */
  private record Row(
      String name,
      Planned planOfSaved,
      long runtime,
      Planned planOfOptimized,
      long runtimeOfOptimized,
      Planned planInOrder) {

    static Row of(Path file, List<String> shapes)
        throws IOException, OrtException, InterruptedException {
      Path optimized = optimized(file);
      Path plan = models().resolve("ordered.plan.json");
      return new Row(
          file.getFileName().toString().replace(".onnx", ""),
          planned(List.of("plan", file), shapes),
          requested(file, OptLevel.NO_OPT, shapes),
          planned(List.of("plan", optimized), shapes),
          requested(file, OptLevel.EXTENDED_OPT, shapes),
          planned(List.of("optimize", optimized, "--schedule", "memory", "--plan", plan), shapes));
    }
  }

  private static Row print(Row row) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | %s | %s | %s | %s |%n",
        row.name(),
        row.planOfSaved().cells(),
        bytes(row.runtime()),
        ratioCell(row.planOfSaved(), row.runtime()),
        row.planOfOptimized().cells(),
        bytes(row.runtimeOfOptimized()),
        ratioCell(row.planOfOptimized(), row.runtimeOfOptimized()),
        row.planInOrder().cells(),
        ratioCell(row.planInOrder(), row.runtimeOfOptimized()));
    return row;
  }

  private static String bytes(long bytes) {
    return bytes == UNKNOWN ? "–" : String.format(Locale.ROOT, "%,d", bytes);
  }

  private static String ratioCell(Planned plan, long runtime) {
    return runtime == UNKNOWN ? "–" : String.format(Locale.ROOT, "%.3f", ratio(plan, runtime));
  }

  private static double ratio(Planned plan, long runtime) {
    return (double) plan.arena() / runtime;
  }

  /** The geometric mean of a ratio over the rows whose figures are all known. */
  private static double mean(List<Row> rows, ToDoubleFunction<Row> ratio) {
    double sum = 0;
    int count = 0;
    for (Row row : rows) {
      if (row.runtime() != UNKNOWN && row.runtimeOfOptimized() != UNKNOWN) {
        sum += Math.log(ratio.applyAsDouble(row));
        count++;
      }
    }
    return Math.exp(sum / count);
  }

  private static Path models() throws IOException {
    return Files.createDirectories(Path.of("target", "models"));
  }

  private static Path file(String name) throws IOException {
    if (!name.startsWith("/")) {
      return Path.of(System.getenv().getOrDefault("SUBLET_CORPUS", "."), "onnx", name);
    }
    Path file = models().resolve(name.substring(1));
    try (InputStream stream = RuntimeArenaTable.class.getResourceAsStream(name)) {
      Files.write(file, stream.readAllBytes());
    }
    return file;
  }

  /** Saves the model that ONNX Runtime runs after its optimizations for any machine. */
  private static Path optimized(Path model) throws IOException, OrtException {
    Path target = models().resolve("optimized.onnx");
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(OptLevel.EXTENDED_OPT);
      options.setOptimizedModelFilePath(target.toString());
      OrtEnvironment.getEnvironment().createSession(model.toString(), options).close();
    }
    return target;
  }

  private static Planned planned(List<Object> command, List<String> shapes) {
    List<Object> arguments = new ArrayList<>(command);
    arguments.add("--json");
    for (String shape : shapes) {
      if (!shape.contains(":")) {
        arguments.addAll(List.of("--shape", shape));
      }
    }
    CommandRun run = CommandRun.of(arguments.toArray());
    JsonObject summary = JsonParser.parseString(run.text()).getAsJsonObject();
    return new Planned(
        summary.get("arena_bytes").getAsLong(), summary.get("lower_bound").getAsLong());
  }

  /**
   * The bytes of the memory pattern, inputs and results of a model. If the first piece of the arena
   * is large enough for the pattern, the log contains no request; then the weights are in the
   * arena, too, and fill that piece.
   */
  private static long requested(Path model, OptLevel level, List<String> shapes)
      throws IOException, InterruptedException {
    long apart = requested(model, level, WEIGHTS_APART, shapes);
    return apart != UNKNOWN ? apart : requested(model, level, WEIGHTS_IN_ARENA, shapes);
  }

  /** Runs a model in a process of its own, whose log is read: ONNX Runtime writes it itself. */
  private static long requested(Path model, OptLevel level, String weights, List<String> shapes)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("java", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(
        List.of(RuntimeArenaTable.class.getName(), model.toString(), level.name(), weights));
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

  private static void run(Path model, OptLevel level, String weights, List<String> shapes)
      throws OrtException {
    OrtEnvironment environment =
        OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_INFO, "sublet");
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_INFO);
    options.setIntraOpNumThreads(1);
    options.setOptimizationLevel(level);
    options.addConfigEntry("session.use_device_allocator_for_initializers", weights);
    OrtSession.RunOptions shrinking = new OrtSession.RunOptions();
    shrinking.addRunConfigEntry("memory.enable_memory_arena_shrinkage", "cpu:0");
    try (OrtSession session = environment.createSession(model.toString(), options)) {
      Map<String, OnnxTensor> inputs = new HashMap<>();
      for (String shape : shapes) {
        List<String> parts = Splitter.on('=').splitToList(shape);
        inputs.put(parts.get(0), filled(environment, session, parts.get(0), parts.get(1)));
      }
      Map<String, OnnxTensor> results = new HashMap<>();
      try (OrtSession.Result first = session.run(inputs, shrinking)) {
        for (Map.Entry<String, OnnxValue> result : first) {
          results.put(result.getKey(), like(environment, (OnnxTensor) result.getValue()));
        }
      }
      session.run(inputs, Set.of(), results, shrinking).close();
      long bytes = bytes(inputs.values()) + bytes(results.values());
      System.err.println("\nlast run, " + bytes + " bytes of inputs and results");
      session.run(inputs, Set.of(), results, shrinking).close();
    }
  }

  /** Makes a tensor of the same shape outside of the runtime's arena, so that a run can free it. */
  private static OnnxTensor like(OrtEnvironment environment, OnnxTensor tensor)
      throws OrtException {
    ByteBuffer data =
        ByteBuffer.allocateDirect(Math.toIntExact(bytes(tensor))).order(ByteOrder.nativeOrder());
    TensorInfo info = tensor.getInfo();
    return OnnxTensor.createTensor(environment, data, info.getShape(), info.type);
  }

  private static OnnxTensor filled(
      OrtEnvironment environment, OrtSession session, String name, String shape)
      throws OrtException {
    NodeInfo input = session.getInputInfo().get(name);
    if (input == null) {
      throw new IllegalArgumentException(name + " is none of " + session.getInputNames());
    }
    OnnxJavaType type = ((TensorInfo) input.getInfo()).type;
    List<String> parts = Splitter.on(':').splitToList(shape);
    long value = parts.size() < 2 ? 1 : Long.parseLong(parts.get(1));
    long[] extents =
        Splitter.on(',')
            .omitEmptyStrings()
            .splitToStream(parts.get(0))
            .mapToLong(Long::parseLong)
            .toArray();
    long elements = 1;
    for (long extent : extents) {
      elements *= extent;
    }
    ByteBuffer data =
        ByteBuffer.allocateDirect(Math.toIntExact(elements * type.size))
            .order(ByteOrder.nativeOrder());
    while (data.hasRemaining()) {
      switch (type) {
        case INT64 -> data.putLong(value);
        case INT32 -> data.putInt((int) value);
        default -> data.putFloat((float) value);
      }
    }
    return OnnxTensor.createTensor(environment, data.flip(), extents, type);
  }

  private static long bytes(Collection<OnnxTensor> tensors) {
    return tensors.stream().mapToLong(RuntimeArenaTable::bytes).sum();
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
