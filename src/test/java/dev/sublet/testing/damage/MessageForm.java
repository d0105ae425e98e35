package dev.sublet.testing.damage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.primitives.Bytes;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.util.JsonFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** The forms that a protobuf message has in files and streams. */
public enum MessageForm {
  BINARY,
  TEXT,
  JSON,
  /** Binary, with the length in four bytes before it, the least significant one first. */
  FRAME;

  /** The message, which may lack required fields; empty if it cannot be read. */
  public Optional<Message> parse(byte[] bytes, Message prototype) {
    Message.Builder builder = prototype.newBuilderForType();
    try {
      switch (this) {
        case BINARY -> builder.mergeFrom(bytes);
        case TEXT -> TextFormat.merge(new String(bytes, UTF_8), builder);
        case JSON -> JsonFormat.parser().merge(new String(bytes, UTF_8), builder);
        case FRAME ->
            builder.mergeFrom(bytes, Math.min(4, bytes.length), Math.max(0, bytes.length - 4));
      }
      return Optional.of(builder.buildPartial());
    } catch (InvalidProtocolBufferException | TextFormat.ParseException e) {
      return Optional.empty();
    }
  }

  /** The bytes; empty if the form cannot express the message. */
  public Optional<byte[]> print(Message message) {
    return switch (this) {
      case BINARY -> Optional.of(message.toByteArray());
      case TEXT -> Optional.of(TextFormat.printer().printToString(message).getBytes(UTF_8));
      case JSON -> json(message);
      case FRAME -> {
        byte[] bytes = message.toByteArray();
        ByteBuffer length = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
        yield Optional.of(Bytes.concat(length.putInt(bytes.length).array(), bytes));
      }
    };
  }

  private static Optional<byte[]> json(Message message) {
    try {
      String text = JsonFormat.printer().preservingProtoFieldNames().print(message);
      return Optional.of((text + "\n").getBytes(UTF_8));
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      return Optional.empty(); // A value of an enum or of a number that JSON has no word for.
    }
  }
}
