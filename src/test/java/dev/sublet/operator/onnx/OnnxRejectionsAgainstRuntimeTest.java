package dev.sublet.operator.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.onnx.ChangedCases;
import dev.sublet.testing.onnx.OnnxCase;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;

public final class OnnxRejectionsAgainstRuntimeTest {

  static Set<String> SKIP = new HashSet<>();
  static String rejected(OnnxCase one) {
    Program program = OnnxModel.of(one.constant()).program();
    OperatorCatalog catalog = OperatorCatalog.standard();
    Sizes sizes = ShapeInference.inferLeniently(program, catalog, LodCarriers.find(program, catalog), ShapeOptions.defaults());
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals(one.type())) {
        AbstractShape s = sizes.written(operation, 0);
        if (s != null && !s.hasRank() && s.reason().contains("contradict op")) return s.reason();
      }
    }
    return "";
  }

  static ModelProto unranked(ModelProto model) {
    GraphProto.Builder graph = model.getGraph().toBuilder().clearInput();
    for (ValueInfoProto input : model.getGraph().getInputList()) {
      ValueInfoProto.Builder plain = input.toBuilder();
      plain.getTypeBuilder().getTensorTypeBuilder().clearShape();
      graph.addInput(plain);
    }
    return model.toBuilder().setGraph(graph).build();
  }

  static OnnxJavaType javaType(int type) {
    return switch (type) {
      case 1 -> OnnxJavaType.FLOAT;
      case 2 -> OnnxJavaType.UINT8;
      case 3 -> OnnxJavaType.INT8;
      case 6 -> OnnxJavaType.INT32;
      case 7 -> OnnxJavaType.INT64;
      case 9 -> OnnxJavaType.BOOL;
      default -> throw new IllegalArgumentException("type " + type);
    };
  }

  static boolean accepts(OnnxCase one, ModelProto model) {
    ImmutableMap.Builder<String, OnnxTensor> feeds = ImmutableMap.builder();
    try {
      for (int i = 0; i < one.inputs().size(); i++) {
        TensorProto t = one.inputs().get(i);
        if (t.getDataType() == 0 || model.getGraph().getInputList().stream().noneMatch(v -> v.getName().equals(t.getName()))) continue;
        byte[] b = one.bytes(i);
        ByteBuffer bytes = ByteBuffer.allocateDirect(b.length).order(ByteOrder.nativeOrder());
        bytes.put(b).rewind();
        long[] dims = t.getDimsList().stream().mapToLong(Long::longValue).toArray();
        feeds.put(t.getName(), OnnxTensor.createTensor(RuntimeTensor.environment(), bytes, dims, javaType(t.getDataType())));
      }
      RuntimeTensor.run(model, feeds.buildOrThrow());
      return true;
    } catch (OrtException e) {
      return false;
    }
  }

  public static void main(String[] args) throws Exception {
    if (Files.exists(Path.of("/tmp/h/skip.txt"))) SKIP.addAll(Files.readAllLines(Path.of("/tmp/h/skip.txt")));
    int tries = Integer.parseInt(args[0]);
    Map<String, Integer> rejections = new TreeMap<>();
    Map<String, List<String>> bad = new TreeMap<>();
    long t0 = System.nanoTime(); int n = 0, runs = 0; long inORT = 0;
    for (String file : new String[] {"cases.txt", "runs.txt", "runs_layers.txt", "runs_reductions.txt", "runs_shapes.txt"})
    for (String line : Files.readAllLines(Path.of("testdata/onnx_operators", file))) {
      if (line.isBlank() || line.startsWith("#")) continue;
      if (List.of("Einsum", "Multinomial", "GRU", "RNN", "Col2Im", "AveragePool", "com.microsoft.QLinearAveragePool", "com.microsoft.ExpandDims", "com.microsoft.NhwcMaxPool", "com.microsoft.QLinearGlobalAveragePool").contains(OnnxCase.parse(line).type())) continue;
      if (args.length > 2 && !line.startsWith(args[2])) continue;
      SplittableRandom random = new SplittableRandom(line.hashCode());
      for (int i = 0; i < tries; i++) {
        String changed = ChangedCases.line(line, random);
        OnnxCase one;
        String why;
        try {
          one = OnnxCase.parse(changed);
          n++;
          why = rejected(one);
        } catch (ProgramException e) { continue; }
        catch (RuntimeException e) { System.out.println("PARSE " + changed + " " + e); continue; }
        if (why.isEmpty() || changed.contains("batch_dims=-")) continue;
        int count = rejections.merge(one.type(), 1, Integer::sum);
        if (count > Integer.parseInt(args[1])) continue;
        long t1 = System.nanoTime();
        for (int v = 0; v < 2; v++) {
          ModelProto m = v == 0 ? unranked(one.fed(true, true)) : v == 1 ? unranked(one.fed(true, false)) : one.constant();
          try {
            Files.writeString(Path.of("/tmp/h/last.txt"), "v" + v + " " + changed + "   " + why);
            if (SKIP.contains(changed)) continue;
            runs++;
            if (accepts(one, m)) {
              bad.computeIfAbsent(one.type(), k -> new ArrayList<>()).add("v" + v + ": " + changed + "   " + why);
            }
          } catch (IllegalArgumentException e) { }
        }
        inORT += System.nanoTime() - t1;
      }
    }
    System.out.println(n + " tried, " + rejections + " runs " + runs + " ms " + (System.nanoTime() - t0) / 1000000 + " ort " + inORT / 1000000);
    bad.forEach((k, l) -> { System.out.println("== " + k + " " + l.size()); l.stream().limit(12).forEach(x -> System.out.println("   " + x)); });
  }
}
