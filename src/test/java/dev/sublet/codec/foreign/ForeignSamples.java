package dev.sublet.codec.foreign;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.BaseEncoding;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import com.google.common.primitives.Shorts;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import dev.sublet.proto.VarType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small files of other tools, built as the formats prescribe: file name to content. */
final class ForeignSamples {

  private ForeignSamples() {}

  /** Files by their names, in the order in which they are reported. */
  static ImmutableMap<String, byte[]> files() throws IOException {
    return ImmutableMap.<String, byte[]>builder()
        .put("model.tflite", flatBuffer("TFL3", 1))
        .put("model.ort", flatBuffer("ORTM", 1))
        .put("model.mnn", flatBuffer("", 8))
        .put("model.mlmodel", coreMl(4))
        .put("old.mlmodel", coreMl(1))
        .put("frozen.pb", graphDef())
        .put("frozen.pbtxt", text("node {\n  name: \"x\"\n  op: \"Placeholder\"\n}\n"))
        .put("saved_model.pb", savedModel())
        .put(
            "saved_model.pbtxt", text("# saved\nsaved_model_schema_version: 1\nmeta_graphs {\n}\n"))
        .put("deploy.prototxt", text(PROTOTXT))
        .put("train.prototxt", text(OLD_PROTOTXT))
        .put("net.caffemodel", caffe())
        .put("old.caffemodel", oldCaffe())
        .put("model.xml", text(IR))
        .put("model.ncnn.param", text("7767517\n2 2\nInput  data  0 1 data 0=3\n"))
        .put("model.param.bin", numbers(7767517, 2, 2, 16))
        .put("model.nb", paddleLite())
        .put("inference.json", text(PIR))
        .put("inference.pdiparams", parameters())
        .put("train.pdparams", hex("8004950c000000000000007d948c01779473752e"))
        .put("model.gguf", Bytes.concat(text("GGUF"), numbers(3, 1, 0, 0, 0)))
        .put("model.safetensors", safetensors())
        .put("script.pt", zip("model/data.pkl", "model/code/m.py", "model/constants.pkl"))
        .put("weights.pth", zip("archive/data.pkl", "archive/version", "archive/data/0"))
        .put("old.pth", hex("80028a0a6cfc9c46f9206aa850192e80024de9032e"))
        .put("model.h5", Bytes.concat(hex("894844460d0a1a0a00"), new byte[40]))
        .put("block.h5", Bytes.concat(new byte[512], hex("894844460d0a1a0a00"), new byte[40]))
        .put("model.keras", zip("metadata.json", "config.json", "model.weights.h5"))
        .put("model.engine", Bytes.concat(text("ftrt"), new byte[60]))
        .put("yolo.engine", Bytes.concat(numbers(8), text("{\"a\": 1}ftrt"), new byte[60]))
        .put("model.onnx_data", Bytes.concat(numbers(0x3F800000, 0x40000000), new byte[60]))
        .put("model.onnx.data", numbers(0x3F800000, 0x40000000))
        .put("pointer.onnx", text(POINTER))
        .put("page.pdmodel", text("<!DOCTYPE html>\n<html><body>Sign in</body></html>\n"))
        .put(
            "denied.onnx",
            text("<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>"))
        .put("missing.onnx", text("404: Not Found"))
        .put("model.zip", zip("model/inference.pdmodel", "model/inference.pdiparams"))
        .put("model.pdmodel.gz", gzip(text("a program")))
        .put("model.tar", tar())
        .put("model.tar.xz", hex("fd377a585a0000ff12d94100000000"))
        .buildOrThrow();
  }

  /** Returns the content of one file. */
  static byte[] file(String name) throws IOException {
    return requireNonNull(files().get(name), name);
  }

  private static final String PROTOTXT =
      """
      # A network.
      name: "net"
      input: "data"
      input_shape { dim: 1 dim: 3 }
      layer {
        name: "conv1"
        type: "Convolution"
        convolution_param { num_output: 8 }
        bottom: "data"
        top: "conv1"
      }
      """;

  private static final String OLD_PROTOTXT =
      "name: 'net'\ninput: 'data'\ninput_dim: 1\ninput_dim: 3\nlayers { top: 'data' type: DATA }\n";

  private static final String IR =
      """
      <?xml version="1.0"?>
      <net name="model" version="11">
        <layers>
        </layers>
      </net>
      """;

  private static final String PIR =
      """
      {"base_code":{"magic":"pir","trainable":false,"version":1},"program":{"regions":[]}}
      """;

  private static final String POINTER =
      """
      version https://git-lfs.github.com/spec/v1
      oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
      size 12345
      """;

  static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] hex(String digits) {
    return BaseEncoding.base16().lowerCase().decode(digits);
  }

  /** Numbers of 32 bits, little-endian. */
  static byte[] numbers(int... numbers) {
    byte[][] bytes = new byte[numbers.length][];
    for (int i = 0; i < numbers.length; i++) {
      bytes[i] = Ints.toByteArray(Integer.reverseBytes(numbers[i]));
    }
    return Bytes.concat(bytes);
  }

  private static byte[] length(long length) {
    return Longs.toByteArray(Long.reverseBytes(length));
  }

  /**
   * A FlatBuffer: the position of the root table, perhaps an identifier, the table's layout, and
   * the table, whose fields all refer to one empty vector at the end.
   */
  private static byte[] flatBuffer(String identifier, int fields) {
    int layoutAt = 4 + identifier.length();
    int layout = (4 + 2 * fields + 3) / 4 * 4;
    int tableAt = layoutAt + layout;
    int table = 4 + 4 * fields;
    List<byte[]> parts = new ArrayList<>();
    parts.add(numbers(tableAt));
    parts.add(text(identifier));
    parts.add(Shorts.toByteArray(Short.reverseBytes((short) (4 + 2 * fields))));
    parts.add(Shorts.toByteArray(Short.reverseBytes((short) table)));
    for (int i = 0; i < fields; i++) {
      parts.add(Shorts.toByteArray(Short.reverseBytes((short) (4 + 4 * i))));
    }
    parts.add(new byte[layout - 4 - 2 * fields]);
    parts.add(numbers(layout));
    for (int i = 0; i < fields; i++) {
      parts.add(numbers(table - 4 - 4 * i));
    }
    parts.add(numbers(1, 4, 0));
    return Bytes.concat(parts.toArray(byte[][]::new));
  }

  private static final Object NONE = new Object();

  /** A message with fields 1, 2, …, of which those with {@link #NONE} are missing. */
  private static UnknownFieldSet message(Object... values) {
    UnknownFieldSet.Builder message = UnknownFieldSet.newBuilder();
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof Integer number) {
        message.addField(i + 1, Field.newBuilder().addVarint(number).build());
      } else if (values[i] instanceof String string) {
        message.addField(i + 1, bytes(ByteString.copyFromUtf8(string)));
      } else if (values[i] instanceof UnknownFieldSet nested) {
        message.addField(i + 1, bytes(nested.toByteString()));
      }
    }
    return message.build();
  }

  private static Field bytes(ByteString value) {
    return Field.newBuilder().addLengthDelimited(value).build();
  }

  private static byte[] with(UnknownFieldSet message, int field, UnknownFieldSet value) {
    return message.toBuilder().addField(field, bytes(value.toByteString())).build().toByteArray();
  }

  private static byte[] coreMl(int version) {
    UnknownFieldSet description = message(message("image", "The input.", message()));
    UnknownFieldSet network = message(message("conv1", "image", "scores"));
    return with(message(version, description), 500, network);
  }

  private static byte[] graphDef() {
    UnknownFieldSet input = message("x", "Placeholder", NONE, NONE, message("dtype", message(1)));
    UnknownFieldSet relu = message("y", "Relu", "x");
    Field nodes =
        Field.newBuilder()
            .addLengthDelimited(input.toByteString())
            .addLengthDelimited(relu.toByteString())
            .build();
    return UnknownFieldSet.newBuilder().addField(1, nodes).build().toByteArray();
  }

  /** A graph of MediaPipe, whose nodes have the same fields as those of TensorFlow but one. */
  static byte[] mediaPipe() {
    UnknownFieldSet node = message("crop", "CropCalculator", "image", "cropped", "options");
    return message(node).toByteArray();
  }

  private static byte[] savedModel() {
    UnknownFieldSet info = message(NONE, message(message("Relu")), NONE, "serve", "2.15.0");
    return message(1, message(info, message(message("x", "Placeholder")))).toByteArray();
  }

  private static byte[] caffe() {
    return with(message("net", NONE, "data"), 100, message("conv1", "Convolution", "data"));
  }

  private static byte[] oldCaffe() {
    return message("net", message(NONE, "data", "conv1", "conv1", 4)).toByteArray();
  }

  private static byte[] paddleLite() {
    byte[] tool = Arrays.copyOf(text("v2.12"), 16);
    byte[] program = new byte[40];
    return Bytes.concat(hex("0200"), tool, length(program.length), program, new byte[64]);
  }

  private static byte[] parameters() {
    byte[] type =
        VarType.TensorDesc.newBuilder()
            .setDataType(VarType.Type.FP32)
            .addDims(2)
            .build()
            .toByteArray();
    byte[] header = Bytes.concat(numbers(0), length(1), length(16), length(0), length(2));
    return Bytes.concat(header, numbers(0, type.length), type, new byte[8]);
  }

  private static byte[] safetensors() {
    byte[] header =
        text("{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}".concat("  "));
    return Bytes.concat(length(header.length), header, new byte[4]);
  }

  private static byte[] zip(String... names) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      // Larger than the head, so that only the directory has the other names.
      byte[] first = Bytes.toArray(Collections.nCopies(20_000, 7));
      for (String name : names) {
        byte[] content = name.equals(names[0]) ? first : new byte[] {1};
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        CRC32 sum = new CRC32();
        sum.update(content);
        entry.setCrc(sum.getValue());
        zip.putNextEntry(entry);
        zip.write(content);
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(content);
    }
    return bytes.toByteArray();
  }

  /** A header of tar, whose fields are padded with zeros, and one block. */
  private static byte[] tar() {
    String header =
        Strings.padEnd("model.pdmodel", 100, '\0')
            + Strings.padEnd("0000644\0", 57, '0')
            + Strings.padEnd("", 100, '\0')
            + "ustar\00000";
    return Arrays.copyOf(header.getBytes(ISO_8859_1), 1024);
  }
}
