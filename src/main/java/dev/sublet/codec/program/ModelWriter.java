package dev.sublet.codec.program;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.plan.MemoryPlan;

/** Writes ONNX models. Equal models and plans always give equal bytes. */
public final class ModelWriter {

  private ModelWriter() {}

  /**
   * Returns a model in the given form, as it was read. Unknown fields are written back. O(size).
   *
   * @param log gets a warning for each kind of content that a text form cannot represent
   */
  public static byte[] toBytes(OnnxModel model, ProgramFormat format, DiagnosticLog log) {
    return MessagePrinter.toBytes(model.toMessage(), "model", format, log);
  }

  /**
   * Returns the model with a plan of its program as metadata. The model computes the same results;
   * the metadata state the places of its values in the arenas. See {@code metadata_props} in the
   * README.
   */
  public static byte[] toBytes(
      OnnxModel model, MemoryPlan plan, ProgramFormat format, DiagnosticLog log) {
    return MessagePrinter.toBytes(model.annotated(plan), "model", format, log);
  }
}
