package dev.sublet.codec.request;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.sublet.codec.program.MessageParser;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.codec.program.TextLosses;
import dev.sublet.codec.table.BufferTableReader;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import dev.sublet.proto.Buffer;
import dev.sublet.proto.BufferGap;
import dev.sublet.proto.BufferList;

/**
 * A host's request to the plug-in: a message of {@code plugin.proto}. Each part is decoded only
 * when its accessor is called, so that a response can name the request even if a part is wrong.
 */
public final class PlanRequest {

  private static final String HEADER = "id,lower,upper,size,alignment,offset,gaps\n";
  private static final String BUFFERS = "buffers";

  private final dev.sublet.proto.PlanRequest message;

  private PlanRequest(dev.sublet.proto.PlanRequest message) {
    this.message = message;
  }

  /**
   * Reads a message. O(length).
   *
   * @throws ProgramException if the bytes are no such message; whether the parts are right is not
   *     checked
   */
  public static PlanRequest parse(byte[] bytes) {
    try {
      return new PlanRequest(dev.sublet.proto.PlanRequest.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw ProgramException.unreadable(
          Location.nowhere(),
          "not a PlanRequest, or a damaged one: "
              + MessageParser.oneLine(String.valueOf(e.getMessage())));
    }
  }

  /** The host's identifier of the request. */
  public long id() {
    return message.getId();
  }

  /** Whether the host wants the program rewritten, too. */
  public boolean rewrite() {
    return message.getRewrite();
  }

  /** Whether the request is for a table of buffers, and not for a program. */
  public boolean isAboutBuffers() {
    return message.hasBuffers();
  }

  /**
   * Checks that the request can be understood in full; a request that is partly understood is
   * refused.
   *
   * @throws ProgramException if there are unknown fields, or neither a program nor buffers
   */
  public void check() {
    TextLosses.Tally unknown = TextLosses.of(message).unknownFields();
    if (unknown.count() > 0) {
      throw ProgramException.unreadable(
          Location.nowhere(),
          "not a PlanRequest, or one of a newer version: it holds unknown fields"
              + (unknown.first().isEmpty() ? "" : " in " + unknown.first()));
    }
    if (!message.hasProgram() && !message.hasBuffers()) {
      throw ProgramException.unreadable(
          Location.nowhere(), "the request has neither a program nor buffers");
    }
  }

  /** The options of the request. */
  public RequestOptions options() {
    return RequestOptionMessages.fromMessage(message.getOptions());
  }

  /**
   * Decodes the program.
   *
   * @throws ProgramException as {@link ProgramReader} throws it
   */
  public ReadProgram readProgram() {
    return ProgramReader.parseWithFormat(message.getProgram().toByteArray(), "program");
  }

  /**
   * Decodes the buffers by way of CSV, so that the rules of CSV files apply to them. O(size).
   *
   * @throws ProgramException as {@link BufferTableReader} throws it; buffer i is line i + 2
   */
  public BufferTable readBuffers() {
    BufferList buffers = message.getBuffers();
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < buffers.getBuffersCount(); i++) {
      append(text, buffers.getBuffers(i), i);
    }
    byte[] csv = ByteString.copyFromUtf8(text.toString()).toByteArray();
    return BufferTableReader.parse(csv, BUFFERS, new DiagnosticLog());
  }

  private static void append(StringBuilder text, Buffer buffer, int index) {
    for (int i = 0; i < buffer.getId().length(); i++) {
      char c = buffer.getId().charAt(i);
      if (c == ',' || Character.isISOControl(c)) {
        throw ProgramException.unreadable(
            Location.file(BUFFERS),
            "the id of buffer " + index + " holds a comma or a control character");
      }
    }
    text.append(buffer.getId()).append(',').append(buffer.getLower()).append(',');
    text.append(buffer.getUpper()).append(',').append(buffer.getSize()).append(',');
    if (buffer.getAlignment() != 0) {
      text.append(buffer.getAlignment());
    }
    text.append(',');
    if (buffer.hasOffset()) {
      text.append(buffer.getOffset());
    }
    String separator = ",";
    for (BufferGap gap : buffer.getGapsList()) {
      text.append(separator).append(gap.getLower()).append('-').append(gap.getUpper());
      if (gap.getLow() != 0 || gap.getHigh() != 0) {
        text.append('@').append(gap.getLow()).append(':').append(gap.getHigh());
      }
      separator = " ";
    }
    text.append(buffer.getGapsCount() == 0 ? ",\n" : "\n");
  }
}
