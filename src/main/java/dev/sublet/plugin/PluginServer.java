package dev.sublet.plugin;

import dev.sublet.codec.request.PlanResponse;
import dev.sublet.diag.MachineLimit;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads requests from a stream and answers each of them. */
public final class PluginServer {

  private PluginServer() {}

  /**
   * Reads requests until the stream ends, and writes a response to each before it reads the next.
   *
   * @param limits the limits of each request
   * @return the error if the last frame could not be read, in which case an error response has been
   *     written; empty if the stream ended between frames
   * @throws IOException if one of the streams fails
   */
  public static Optional<ProgramException> serve(
      InputStream in, OutputStream out, RequestLimits limits) throws IOException {
    return serve(in, out, limits.bytes(), new PlanService(limits));
  }

  static Optional<ProgramException> serve(
      InputStream in, OutputStream out, long maxRequest, PlanService service) throws IOException {
    while (true) {
      byte @Nullable [] request;
      try {
        request = FrameStream.read(in, maxRequest);
      } catch (ProgramException e) {
        FrameStream.write(out, PlanResponse.ofError(/* id= */ 0, e).toBytes());
        return Optional.of(e);
      } catch (OutOfMemoryError e) {
        FrameStream.write(
            out, PlanResponse.ofError(/* id= */ 0, MachineLimit.describe(e)).toBytes());
        continue;
      }
      if (request == null) {
        return Optional.empty();
      }
      FrameStream.write(out, service.answer(request));
    }
  }
}
