package dev.sublet.codec.foreign;

import com.google.common.base.CharMatcher;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Serialized protobuf messages, which have no signature: the first fields, their types and the
 * first fields in them decide. Protobuf writes the fields of a message in the order of their
 * numbers.
 *
 * <p>A {@code ProgramDesc} begins with a block, in which a number comes first; an ONNX {@code
 * ModelProto} with a number and then text. Neither matches.
 *
 * <p>Sources: {@code graph.proto}, {@code node_def.proto}, {@code saved_model.proto} and {@code
 * meta_graph.proto} of TensorFlow; {@code Model.proto} of coremltools; {@code caffe.proto}.
 */
final class MessageSignatures {

  private static final int LONGEST_NAME = 1000;
  private static final int NUMBER = WireFormat.WIRETYPE_VARINT;
  private static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;

  /** The name of a TensorFlow operator, perhaps with a namespace. */
  private static final Pattern OPERATOR = Pattern.compile("[A-Z_][A-Za-z0-9_.>/]*");

  private MessageSignatures() {}

  /** Returns the format that a file begins like. */
  static Optional<ForeignFormat> find(FileSample file) {
    if (begins(file, MessageSignatures::isGraphDef)) {
      return Optional.of(ForeignFormat.GRAPH_DEF);
    }
    if (begins(file, MessageSignatures::isCaffe)) {
      return Optional.of(ForeignFormat.CAFFE);
    }
    // A tie if the meta graph has a version of its own: the name decides.
    if (!file.name().endsWith(".pb") && begins(file, MessageSignatures::isCoreMl)) {
      return Optional.of(ForeignFormat.CORE_ML);
    }
    if (begins(file, MessageSignatures::isSavedModel)) {
      return Optional.of(ForeignFormat.SAVED_MODEL);
    }
    return Optional.empty();
  }

  private static boolean begins(FileSample file, Beginning beginning) {
    try {
      return beginning.test(CodedInputStream.newInstance(file.head()));
    } catch (IOException e) {
      return false; // The bytes are no such message.
    }
  }

  /**
   * A node with a name, an operator, perhaps inputs and a device, and an attribute with a name. A
   * graph of MediaPipe has strings in the place of attributes.
   */
  private static boolean isGraphDef(CodedInputStream in) throws IOException {
    if (!opens(in, 1) || !isName(in, 1) || !is(in, 2, BYTES) || !isOperator(in.readString())) {
      return false;
    }
    int tag = in.readTag();
    while (tag == tag(3, BYTES) || tag == tag(4, BYTES)) {
      in.skipField(tag);
      tag = in.readTag();
    }
    return tag == tag(5, BYTES) && in.readUInt32() > 0 && isName(in, 1);
  }

  /** A version, and a description that begins with the description of an input. */
  private static boolean isCoreMl(CodedInputStream in) throws IOException {
    return is(in, 1, NUMBER)
        && isBetween(in.readUInt64(), 1, 50)
        && opens(in, 2)
        && opens(in, 1)
        && isName(in, 1);
  }

  /** Version 1, and a meta graph that begins with information about itself. */
  private static boolean isSavedModel(CodedInputStream in) throws IOException {
    return is(in, 1, NUMBER)
        && in.readUInt64() == 1
        && opens(in, 2)
        && opens(in, 1)
        && isBetween(WireFormat.getTagFieldNumber(in.readTag()), 1, 8);
  }

  /** A name and inputs, of which each may be missing, and a layer of either form. */
  private static boolean isCaffe(CodedInputStream in) throws IOException {
    int tag = in.readTag();
    if (tag == tag(1, BYTES)) {
      if (!isName(in.readString())) {
        return false;
      }
      tag = in.readTag();
    }
    while (isBetween(WireFormat.getTagFieldNumber(tag), 3, 8)) {
      in.skipField(tag);
      tag = in.readTag();
    }
    if (tag == tag(100, BYTES)) {
      return in.readUInt32() > 0 && isName(in, 1) && isName(in, 2);
    }
    if (tag != tag(2, BYTES) || in.readUInt32() <= 0) {
      return false;
    }
    int first = in.readTag();
    boolean isText = first == tag(2, BYTES) || first == tag(3, BYTES) || first == tag(4, BYTES);
    return isText && isName(in.readString());
  }

  /** Reads the tag and the length of a message that is not empty. */
  private static boolean opens(CodedInputStream in, int field) throws IOException {
    return is(in, field, BYTES) && in.readUInt32() > 0;
  }

  private static boolean isName(CodedInputStream in, int field) throws IOException {
    return is(in, field, BYTES) && isName(in.readString());
  }

  private static boolean is(CodedInputStream in, int field, int type) throws IOException {
    return in.readTag() == tag(field, type);
  }

  private static int tag(int field, int type) {
    return field << 3 | type;
  }

  private static boolean isBetween(long value, long least, long most) {
    return value >= least && value <= most;
  }

  private static boolean isName(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST_NAME
        && CharMatcher.javaIsoControl().matchesNoneOf(text)
        && text.indexOf('\uFFFD') < 0;
  }

  private static boolean isOperator(String text) {
    return text.length() <= LONGEST_NAME && OPERATOR.matcher(text).matches();
  }

  /** A test of the beginning of a message. */
  private interface Beginning {

    boolean test(CodedInputStream in) throws IOException;
  }
}
