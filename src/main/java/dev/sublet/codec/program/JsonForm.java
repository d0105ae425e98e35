package dev.sublet.codec.program;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;

/** Messages in protobuf's JSON mapping, with the field names of the schema. */
final class JsonForm {

  private JsonForm() {}

  /** Returns the message as JSON, without unknown fields. */
  static String print(Message message) {
    try {
      return JsonFormat.printer().preservingProtoFieldNames().print(message) + "\n";
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("only messages with Any fields can fail to print", e);
    }
  }

  static void parse(String text, Message.Builder builder) {
    new JsonMessageParser(text).parse(builder);
  }
}
