package dev.sublet.codec.request;

import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.UnsafeByteOperations;
import dev.sublet.codec.plan.PlanMessages;
import dev.sublet.codec.table.PlanNames;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.ProgramException;
import dev.sublet.diag.VisibleText;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Names;
import dev.sublet.program.VariableId;
import dev.sublet.proto.NameSharing;
import dev.sublet.proto.PlanDiagnostic;
import dev.sublet.proto.Severity;
import dev.sublet.proto.Status;
import java.util.List;
import java.util.Map;

/**
 * The plug-in's response to a request: a message of {@code plugin.proto}, serialized. All methods
 * are O(size).
 */
public final class PlanResponse {

  private final dev.sublet.proto.PlanResponse.Builder message;

  private PlanResponse(long id, Status status, List<Diagnostic> diagnostics) {
    message = dev.sublet.proto.PlanResponse.newBuilder().setId(id).setStatus(status);
    for (Diagnostic diagnostic : diagnostics) {
      message.addDiagnostics(toMessage(diagnostic));
    }
  }

  /** Returns the response with a plan for the request of the given id. */
  public static PlanResponse ofPlan(long id, MemoryPlan plan, List<Diagnostic> diagnostics) {
    PlanResponse response = new PlanResponse(id, Status.STATUS_OK, diagnostics);
    response.message.setPlan(PlanMessages.toMessage(plan));
    return response;
  }

  /**
   * Returns the response with a program and its plan.
   *
   * @param rewritten the serialized program, or the serialized ONNX model with the plan in it
   */
  public static PlanResponse ofRewrite(
      long id, byte[] rewritten, MemoryPlan plan, List<Diagnostic> diagnostics) {
    PlanResponse response = ofPlan(id, plan, diagnostics);
    response.message.setRewrittenProgram(UnsafeByteOperations.unsafeWrap(rewritten));
    return response;
  }

  /**
   * Adds the names that variables of the rewritten program share.
   *
   * @param bytesBefore the bytes of all names before
   * @param bytesAfter the bytes of all names after
   * @param renamings the variable that gives the new name, by renamed variable
   */
  public PlanResponse withSharing(
      long bytesBefore, long bytesAfter, Map<VariableId, VariableId> renamings) {
    NameSharing.Builder sharing = message.getSharingBuilder();
    sharing.setBytesBefore(bytesBefore).setBytesAfter(bytesAfter);
    renamings.forEach(
        (before, after) ->
            sharing
                .addRenamingsBuilder()
                .setBlockIdx(before.block())
                .setVariable(PlanNames.encode(before.name()))
                .setNewName(PlanNames.encode(after.name())));
    return this;
  }

  /**
   * Returns the response with the offsets of buffers.
   *
   * @param offsets the offsets, by buffer
   */
  public static PlanResponse ofOffsets(
      long id,
      String planner,
      ImmutableLongArray offsets,
      long arenaBytes,
      long lowerBound,
      List<Diagnostic> diagnostics) {
    PlanResponse response = new PlanResponse(id, Status.STATUS_OK, diagnostics);
    response
        .message
        .getOffsetsBuilder()
        .setPlanner(planner)
        .addAllOffsets(offsets.asList())
        .setArenaBytes(arenaBytes)
        .setLowerBound(lowerBound);
    return response;
  }

  /**
   * Returns the response that describes the errors of a request; the id is 0 if it is not known.
   */
  public static PlanResponse ofError(long id, ProgramException error) {
    return ofErrors(id, error.diagnostics());
  }

  /** Returns the response that states why a request cannot be fulfilled. */
  public static PlanResponse ofError(long id, Diagnostic error) {
    return ofErrors(id, List.of(error));
  }

  private static PlanResponse ofErrors(long id, List<Diagnostic> errors) {
    int exitCode = errors.get(0).kind().exitCode();
    Status status = Status.forNumber(exitCode);
    if (status == null) {
      throw new IllegalStateException("no status " + exitCode + ": " + errors);
    }
    return new PlanResponse(id, status, errors);
  }

  /** Returns the response that reports an internal error of Sublet. */
  public static PlanResponse ofBug(long id, String description) {
    PlanResponse response =
        new PlanResponse(id, Status.STATUS_INTERNAL, /* diagnostics= */ List.of());
    response
        .message
        .addDiagnosticsBuilder()
        .setSeverity(Severity.SEVERITY_ERROR)
        .setMessage(description);
    return response;
  }

  private static PlanDiagnostic toMessage(Diagnostic diagnostic) {
    PlanDiagnostic.Builder message =
        PlanDiagnostic.newBuilder()
            .setSeverity(severity(diagnostic.kind()))
            .setMessage(VisibleText.of(diagnostic.message()))
            .setPlace(VisibleText.of(diagnostic.location().toString()))
            .setOpType(diagnostic.location().operationType())
            .setVariable(Names.display(diagnostic.location().variable()));
    if (diagnostic.location().block() >= 0) {
      message.setBlockIdx(diagnostic.location().block());
    }
    if (diagnostic.location().operation() >= 0) {
      message.setOpIndex(diagnostic.location().operation());
    }
    return message.build();
  }

  private static Severity severity(Diagnostic.Kind kind) {
    return switch (kind) {
      case NOTE -> Severity.SEVERITY_NOTE;
      case WARNING -> Severity.SEVERITY_WARNING;
      case USAGE, UNREADABLE, UNSUPPORTED, INFEASIBLE -> Severity.SEVERITY_ERROR;
    };
  }

  /** The serialized message. */
  public byte[] toBytes() {
    return message.build().toByteArray();
  }
}
