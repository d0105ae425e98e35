package dev.sublet.cli;

import dev.sublet.cli.argument.ByteSize;
import dev.sublet.cli.argument.TimeSpan;
import dev.sublet.cli.argument.WholeNumber;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.Streams;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plugin.PluginServer;
import dev.sublet.plugin.RequestLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code sublet plugin}: reads requests for plans from standard input and writes responses to
 * standard output.
 */
@Command(
    name = "plugin",
    header = "Answer requests for plans from programs in other languages",
    description = {
      "Reads messages of type PlanRequest from standard input and answers each with "
          + "a PlanResponse on standard output, until standard input ends. Each message is "
          + "preceded by its length, a 4-byte little-endian integer. The file "
          + "proto/plugin.proto describes the messages. An error is a response, too; the "
          + "exit code is 3 only if a length cannot be right."
    },
    footer = {
      "", //
      "Examples:",
      "  sublet plugin",
      "  sublet plugin --max-request 1GiB --max-time 10s",
    })
final class PluginCommand implements Verb {

  @Option(
      names = "--max-request",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "The greatest length of a request, less than 2GiB. Default: 256MiB. Example: "
              + "--max-request 1GiB.")
  private long maxRequest = RequestLimits.defaults().bytes();

  @Option(
      names = "--max-nodes",
      paramLabel = "N",
      converter = WholeNumber.class,
      description =
          "The most nodes that a request may let a search visit per arena. Default: "
              + "40000000. Example: --max-nodes 100000000.")
  private long maxNodes = RequestLimits.defaults().nodes();

  @Option(
      names = "--max-time",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description =
          "The most time that a request may give a search. A request without timeout_ms "
              + "gets this time; a note says so if the time ends the search. Default: 60s. "
              + "Example: --max-time 10s.")
  private long maxMillis = RequestLimits.defaults().millis();

  private final Streams streams;

  PluginCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (maxRequest > RequestLimits.LARGEST_BYTES) {
      throw ProgramException.usage(
          "--max-request is " + ByteText.inWords(maxRequest) + "; it must be less than 2GiB");
    }
    if (maxNodes < PlannerOptions.defaults().nodes()) {
      throw ProgramException.usage(
          "--max-nodes is "
              + maxNodes
              + "; a request that says nothing may visit "
              + PlannerOptions.defaults().nodes());
    }
    RequestLimits limits = new RequestLimits(maxRequest, maxNodes, maxMillis);
    streams.progress().end();
    try {
      Optional<ProgramException> broken = PluginServer.serve(streams.in(), responses(), limits);
      if (broken.isPresent()) {
        throw broken.get().in("<stdin>");
      }
      return ExitCode.OK;
    } catch (IOException e) {
      if (streams.pipe().isReaderGone()) {
        return ExitCode.OK;
      }
      throw ProgramException.of(
          Diagnostic.Kind.UNREADABLE, Location.file("<stdin>"), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns standard output as a stream that checks, at the end of each response, whether the
   * reader has closed the pipe.
   */
  private OutputStream responses() {
    return new OutputStream() {
      @Override
      public void write(int value) {
        streams.out().write(value);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        streams.out().write(bytes, offset, length);
      }

      @Override
      public void flush() throws IOException {
        streams.checkOutput();
        if (streams.pipe().isReaderGone()) {
          throw new IOException("nobody listens");
        }
      }
    };
  }
}
