package dev.sublet.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.sublet.proto.PlanRequest;
import dev.sublet.testing.damage.Damage;
import dev.sublet.testing.damage.DeltaDebugging;
import dev.sublet.testing.damage.MessageDamage;
import dev.sublet.testing.damage.MessageForm;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** What can happen to the program within a request of the plug-in. */
final class RequestedProgramDamage implements Damage {

  private final Damage inner;

  /** Of requests with programs, or ONNX models, of a type. */
  RequestedProgramDamage(Message prototype) {
    this.inner = new MessageDamage(prototype, MessageForm.BINARY);
  }

  @Override
  public byte[] apply(byte[] bytes, SplittableRandom random) {
    Optional<PlanRequest> request = request(bytes);
    return request.isEmpty()
        ? bytes
        : frame(request.get(), inner.apply(program(request.get()), random));
  }

  @Override
  public byte[] reduce(byte[] bytes, DeltaDebugging search, Predicate<byte[]> fails) {
    Optional<PlanRequest> request = request(bytes);
    return request.isEmpty()
        ? bytes
        : frame(
            request.get(),
            inner.reduce(
                program(request.get()),
                search,
                program -> fails.test(frame(request.get(), program))));
  }

  private static Optional<PlanRequest> request(byte[] bytes) {
    return MessageForm.FRAME
        .parse(bytes, PlanRequest.getDefaultInstance())
        .map(PlanRequest.class::cast)
        .filter(PlanRequest::hasProgram);
  }

  private static byte[] program(PlanRequest request) {
    return request.getProgram().toByteArray();
  }

  private static byte[] frame(PlanRequest request, byte[] program) {
    PlanRequest other = request.toBuilder().setProgram(ByteString.copyFrom(program)).build();
    return MessageForm.FRAME.print(other).orElseThrow();
  }
}
