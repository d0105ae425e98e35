package dev.sublet.plugin;

import com.google.common.collect.ImmutableList;
import dev.sublet.PlanResult;
import dev.sublet.TablePlans;
import dev.sublet.TableResult;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.codec.program.ModelWriter;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.codec.request.PlanRequest;
import dev.sublet.codec.request.PlanResponse;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.MachineLimit;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import dev.sublet.program.Program;

/** Answers requests with any content. Stateless. */
class PlanService {

  private final RequestLimits limits;

  PlanService(RequestLimits limits) {
    this.limits = limits;
  }

  /**
   * Returns the serialized response to a serialized request. Every failure becomes a response too,
   * so that the next request still gets an answer.
   */
  byte[] answer(byte[] bytes) {
    long id = 0;
    try {
      PlanRequest request = PlanRequest.parse(bytes);
      id = request.id();
      request.check();
      return respond(request).toBytes();
    } catch (ProgramException e) {
      return PlanResponse.ofError(id, e).toBytes();
    } catch (OutOfMemoryError | StackOverflowError e) {
      return PlanResponse.ofError(id, MachineLimit.describe(e)).toBytes();
    } catch (RuntimeException | AssertionError e) {
      return PlanResponse.ofBug(id, describe(e)).toBytes();
    }
  }

  private static String describe(Throwable bug) {
    StackTraceElement[] trace = bug.getStackTrace();
    return "internal error; this is a bug in Sublet: "
        + bug
        + (trace.length == 0 ? "" : " at " + trace[0]);
  }

  PlanResponse respond(PlanRequest request) {
    RequestedOptions options = new RequestedOptions(request, limits);
    if (request.isAboutBuffers()) {
      BufferTable table = request.readBuffers();
      TableResult result = TablePlans.plan(table, options.ofTable());
      return PlanResponse.ofOffsets(
          request.id(),
          result.placement().planner(),
          result.placement().offsets(),
          result.placement().arenaBytes(),
          result.placement().lowerBound(),
          result.diagnostics());
    }
    TranspileOptions given = options.ofProgram();
    ReadProgram read = request.readProgram();
    if (read.model().isPresent()) {
      options.checkForModel();
    }
    Program program = read.program();
    TranspileOptions wanted =
        given
            .withShapes(given.shapes().withSingleSequences(program))
            .withObservation(given.observation().withAliases(options.aliases(program)));
    if (request.rewrite() && read.model().isEmpty()) {
      TranspileResult result = Transpiler.transpile(program, wanted);
      byte[] rewritten =
          ProgramWriter.toBytes(result.program(), ProgramFormat.BINARY, new DiagnosticLog());
      return PlanResponse.ofRewrite(
              request.id(), rewritten, result.plan(), both(read, result.diagnostics()))
          .withSharing(
              result.bytesBefore(), result.sharing().bytesAfter(), result.sharing().renamings());
    }
    PlanResult result = Transpiler.plan(program, wanted);
    ImmutableList<Diagnostic> diagnostics = both(read, result.diagnostics());
    if (request.rewrite()) {
      // An ONNX model is not rewritten, because each of its values has one writer; the plan is
      // added to it.
      byte[] annotated =
          ModelWriter.toBytes(
              read.model().orElseThrow(), result.plan(), ProgramFormat.BINARY, new DiagnosticLog());
      return PlanResponse.ofRewrite(request.id(), annotated, result.plan(), diagnostics);
    }
    return PlanResponse.ofPlan(request.id(), result.plan(), diagnostics);
  }

  private static ImmutableList<Diagnostic> both(
      ReadProgram read, ImmutableList<Diagnostic> diagnostics) {
    return ImmutableList.<Diagnostic>builder().addAll(read.warnings()).addAll(diagnostics).build();
  }
}
