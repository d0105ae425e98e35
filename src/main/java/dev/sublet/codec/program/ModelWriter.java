package dev.sublet.codec.program;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.plan.MemoryPlan;

/** Writes ONNX models. The same model and plan always give the same bytes. */
public final class ModelWriter {

  private ModelWriter() {}

  /**
   * A model in the given form, as it was read. Whatever of it is not known is written back.
   * O(size).
   *
   * @param log gets a warning for each kind of thing that a text form cannot carry
   */
  public static byte[] toBytes(OnnxModel model, ProgramFormat format, DiagnosticLog log) {
    return MessagePrinter.toBytes(model.toMessage(), "model", format, log);
  }

  /**
   * The same with a plan of its program as metadata: the model computes what it did, and says where
   * its values are in the arenas. See {@code metadata_props} in the README.
   */
  public static byte[] toBytes(
      OnnxModel model, MemoryPlan plan, ProgramFormat format, DiagnosticLog log) {
    return MessagePrinter.toBytes(model.annotated(plan), "model", format, log);
  }
}
