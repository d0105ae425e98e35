package dev.sublet.plugin;

import dev.sublet.codec.PlanResponse;
import dev.sublet.diag.MachineLimit;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers all requests of a stream. */
public final class PluginServer {

  /** How long a request may be if nothing else is said: 256 MiB. */
  public static final long DEFAULT_MAX_REQUEST = 256L << 20;

  /** The longest array that Java has. */
  public static final long LARGEST_MAX_REQUEST = Integer.MAX_VALUE - 8;

  private PluginServer() {}

  /**
   * Reads requests until the stream ends, and writes a response to each before it reads the next.
   *
   * @param maxRequest how many bytes a request may have, up to {@link #LARGEST_MAX_REQUEST}
   * @return what was wrong with the last frame, if it could not be read; the response has been
   *     written. Empty if the stream has ended between frames
   * @throws IOException if one of the streams fails
   */
  public static Optional<ProgramException> serve(InputStream in, OutputStream out, long maxRequest)
      throws IOException {
    return serve(in, out, maxRequest, new PlanService());
  }

  static Optional<ProgramException> serve(
      InputStream in, OutputStream out, long maxRequest, PlanService service) throws IOException {
    while (true) {
      byte @Nullable [] request;
      try {
        request = FrameStream.read(in, Math.min(maxRequest, LARGEST_MAX_REQUEST));
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
