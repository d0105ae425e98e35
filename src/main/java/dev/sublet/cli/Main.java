package dev.sublet.cli;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.cli.argument.Choice;
import dev.sublet.cli.console.ClosedStreams;
import dev.sublet.cli.console.DeepStack;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.HelpText;
import dev.sublet.cli.console.OutputPipe;
import dev.sublet.cli.console.Progress;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.console.Terminal;
import dev.sublet.cli.console.UsageError;
import dev.sublet.cli.flag.StandardOptions;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.MachineLimit;
import dev.sublet.diag.ProgramException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point of the command line, and the only place that catches exceptions. */
public final class Main {

  /** The verbs, in the order of the help text. */
  private static final ImmutableMap<String, Function<Streams, Verb>> VERBS =
      ImmutableMap.<String, Function<Streams, Verb>>builder()
          .put("optimize", OptimizeCommand::new)
          .put("plan", PlanCommand::new)
          .put("verify", VerifyCommand::new)
          .put("inspect", InspectCommand::new)
          .put("liveness", LivenessCommand::new)
          .put("explain", ExplainCommand::new)
          .put("diff", DiffCommand::new)
          .put("check", CheckCommand::new)
          .put("run", RunCommand::new)
          .put("compile", CompileCommand::new)
          .put("convert", ConvertCommand::new)
          .put("report", ReportCommand::new)
          .put("ops", OpsCommand::new)
          .put("micro", MicroCommand::new)
          .put("plugin", PluginCommand::new)
          .put("completion", CompletionCommand::new)
          .buildOrThrow();

  private Main() {}

  /** Runs a command on the process's streams and ends the process with its exit code. */
  public static void main(String[] args) {
    OutputStream errors = new FileOutputStream(FileDescriptor.err);
    Progress progress = new Progress(errors, Terminal.isTerminal(Terminal.ERROR));
    boolean isRead = !ClosedStreams.isClosed(ClosedStreams.INPUT);
    boolean isWritten = !ClosedStreams.isClosed(ClosedStreams.OUTPUT);
    InputStream in = isRead ? System.in : ClosedStreams.input();
    OutputPipe pipe =
        new OutputPipe(
            isWritten ? new FileOutputStream(FileDescriptor.out) : ClosedStreams.output());
    PrintStream out = print(progress.before(pipe));
    PrintStream err = print(progress.before(errors));
    int exitCode = run(args, new Streams(in, out, err, Terminal.ofProcess(), progress, pipe));
    out.flush();
    err.flush();
    System.exit(exitCode);
  }

  /**
   * Returns a stream that prints UTF-8, whatever the locale; buffered, so that a large table is not
   * written line by line.
   */
  private static PrintStream print(OutputStream stream) {
    return new PrintStream(stream, /* autoFlush= */ false, StandardCharsets.UTF_8);
  }

  /**
   * Runs a command without a terminal. Does not end the process and does not use the process's own
   * streams; may be called again.
   *
   * @param args the arguments, the verb first
   * @param in the input that {@code -} stands for
   * @param out gets the result
   * @param err gets everything else
   * @return the exit code
   */
  public static int run(String[] args, InputStream in, PrintStream out, PrintStream err) {
    return run(args, new Streams(in, out, err));
  }

  /** Runs a command on streams that may include a terminal. */
  static int run(String[] args, Streams streams) {
    PrintStream err = streams.err();
    try {
      String[] line = withoutHelpVerb(args);
      int exitCode = DeepStack.call(() -> execute(line, streams), streams.progress());
      streams.checkOutput();
      return exitCode;
    } catch (ParameterException e) {
      Diagnostic usage = UsageError.describe(e);
      streams.print(ImmutableList.of(usage));
      return usage.kind().exitCode();
    } catch (ProgramException e) {
      streams.print(e.diagnostics());
      streams.explain(e.details());
      return e.exitCode();
    } catch (OutOfMemoryError | StackOverflowError e) {
      Diagnostic limit = MachineLimit.describe(e);
      streams.print(ImmutableList.of(limit));
      return limit.kind().exitCode();
    } catch (Throwable e) {
      err.print("error: internal error; this is a bug in Sublet\n");
      e.printStackTrace(err);
      return ExitCode.BUG;
    }
  }

  private static int execute(String[] args, Streams streams) throws Exception {
    ParseResult parsed = commandLine(args, streams).parseArgs(args);
    ParseResult verb = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
    CommandLine commandLine = verb.commandSpec().commandLine();
    if (verb.isUsageHelpRequested()) {
      if (verb == parsed && !verb.unmatched().isEmpty()) {
        throw new UnmatchedArgumentException(commandLine, verb.unmatched());
      }
      streams.out().print(commandLine.getUsageMessage(Ansi.OFF));
      return ExitCode.OK;
    }
    if (verb.isVersionHelpRequested()) {
      commandLine.printVersionHelp(streams.out(), Ansi.OFF);
      return ExitCode.OK;
    }
    streams.progress().begin(verb.commandSpec().name());
    try {
      return ((Verb) commandLine.getCommand()).call();
    } catch (ProgramException e) {
      throw verb.hasMatchedOption("--quiet") ? e.withoutDetails() : e;
    }
  }

  /** Returns {@code --help} for {@code help}, and {@code VERB --help} for {@code help VERB}. */
  private static String[] withoutHelpVerb(String[] args) {
    if (args.length == 0 || args.length > 2 || !args[0].equals("help")) {
      return args;
    }
    return args.length == 1 ? new String[] {"--help"} : new String[] {args[1], "--help"};
  }

  private static Set<String> asked(String[] args) {
    if (args.length > 0 && VERBS.containsKey(args[0])) {
      return ImmutableSet.of(args[0]);
    }
    return args.length == 1 && args[0].equals("--version") ? ImmutableSet.of() : VERBS.keySet();
  }

  /**
   * Returns the command line with all verbs, or only with the requested verb, because the
   * description of a verb to picocli takes longer than many verbs take to run.
   */
  static CommandLine commandLine(String[] args, Streams streams) {
    // A name may contain a single quote, about which picocli would print its own warning on
    // standard error.
    CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF);
    CommandLine commandLine = new CommandLine(new SubletCommand());
    for (String verb : asked(args)) {
      commandLine.addSubcommand(verb, requireNonNull(VERBS.get(verb)).apply(streams));
    }
    commandLine.getCommandSpec().addOption(StandardOptions.version());
    commandLine.getCommandSpec().addOption(StandardOptions.help());
    for (CommandLine verb : commandLine.getSubcommands().values()) {
      verb.getCommandSpec().addOption(StandardOptions.help());
    }
    Choice.registerAll(commandLine);
    // Arguments that begin with @ are not files of arguments: real variable names, such as
    // @LR_DECAY_COUNTER@, begin with @.
    commandLine.setExpandAtFiles(false);
    HelpText.install(commandLine, streams.terminal());
    return commandLine;
  }
}
