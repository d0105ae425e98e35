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

/** Answers requests, whatever is in them. Stateless. */
class PlanService {

  private final RequestLimits limits;

  PlanService(RequestLimits limits) {
    this.limits = limits;
  }

  /**
   * The serialized response to a serialized request. Everything that goes wrong becomes one: only
   * so does the next request get an answer.
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
    TranspileOptions wanted = options.ofProgram();
    ReadProgram read = request.readProgram();
    if (read.model().isPresent()) {
      options.checkForModel();
    }
    Program program = read.program();
    if (request.rewrite() && read.model().isEmpty()) {
      TranspileResult result = Transpiler.transpile(program, wanted);
      byte[] rewritten =
          ProgramWriter.toBytes(result.program(), ProgramFormat.BINARY, new DiagnosticLog());
      return PlanResponse.ofRewrite(
          request.id(), rewritten, result.plan(), both(read, result.diagnostics()));
    }
    PlanResult result = Transpiler.plan(program, wanted);
    ImmutableList<Diagnostic> diagnostics = both(read, result.diagnostics());
    if (request.rewrite()) {
      // The values of an ONNX model have one writer each: it is only told the plan.
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
