package dev.sublet.cli;

import com.google.common.collect.ImmutableMap;
import dev.sublet.cli.argument.FeedShape;
import dev.sublet.cli.argument.FeedValue;
import dev.sublet.cli.argument.MicroForm;
import dev.sublet.cli.argument.ScalarValue;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.GradientFlags;
import dev.sublet.cli.flag.MicroArguments;
import dev.sublet.cli.flag.MicroSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.diag.ProgramException;
import dev.sublet.report.MicroReport;
import dev.sublet.report.tensor.TensorReport;
import dev.sublet.runtime.micro.emit.EmitC;
import dev.sublet.runtime.micro.fuse.Simplified;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.op.MicroGraphText;
import dev.sublet.runtime.micro.run.MicroInterpreter;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code sublet micro}: prints an operator written in the micro language as micro ops, as loops or
 * in C, or runs it.
 */
@Command(
    name = "micro",
    header = "Print or run an operator written in the micro language",
    description = {
      "Reads an operator that is written as micro ops or as loops. Prints its loops, "
          + "or those of its gradient, as text or in C; or runs it and prints its outputs."
    },
    footer = {
      "",
      "Examples:",
      "  sublet micro matmul.micro",
      "  sublet micro matmul.micro --grad --no-fuse",
      "  sublet micro matmul.micro --grad --given c_grad,b --wanted a",
      "  sublet micro matmul.micro --emit c > matmul.c",
      "  sublet micro pool.micro --run --feed x=random:1 --shape x=8,8 --set stride=2",
    })
final class MicroCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description =
          "The operator: a text that begins with 'micro' (micro ops) or 'program' "
              + "(loops), or - for standard input.")
  private String input = "";

  @Option(
      names = "--emit",
      paramLabel = "op|loops|c",
      description =
          "What to print: the micro ops, one per line (op), the loops, or a C99 function "
              + "(c). Default: loops. Example: --emit c.")
  private @Nullable MicroForm emit;

  @Option(
      names = "--fuse",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Whether to merge loops and remove temporaries. Without this there is one loop "
              + "nest and one tensor per micro op. Default: yes.")
  private boolean fuse;

  @Mixin private final GradientFlags gradient = new GradientFlags();

  @Option(
      names = "--run",
      description = "Run the operator and print its outputs instead of its loops.")
  private boolean run;

  @Option(
      names = "--feed",
      paramLabel = "NAME=SOURCE",
      converter = FeedValue.Converter.class,
      description =
          "With --run: the value of an input. A .npy file, random:SEED (numbers from -1 to "
              + "1, integers from 0 to 9), or values:V,V,… in the shape of the input. "
              + "Repeatable. Default: random:0. Example: --feed x=values:1,2,3.")
  private List<FeedValue> feeds = new ArrayList<>();

  @Option(
      names = "--shape",
      paramLabel = "NAME=D,D,…",
      converter = FeedShape.Converter.class,
      description =
          "With --run: the shape of an input that comes from no file, if its declaration "
              + "leaves it open. Repeatable. Default: none. Example: --shape x=2,3.")
  private List<FeedShape> shapes = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "$NAME=VALUE",
      converter = ScalarValue.Converter.class,
      description =
          "With --run: the value of a scalar parameter; the $ is optional. Repeatable. "
              + "Default: none. Example: --set stride=2.")
  private List<ScalarValue> scalars = new ArrayList<>();

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  MicroCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    checkOptions();
    StepClock clock = report.clock(streams);
    MicroSource source = MicroSource.read(input, streams);
    clock.endStep("read");
    if (emit == MicroForm.OP) {
      String text = MicroGraphText.print(source.graphFor("--emit op"));
      report.print(new MicroReport("op", text, Optional.empty()), streams);
      return ExitCode.OK;
    }
    MicroProgram program =
        gradient.isTaken() ? gradient.gradient(source.graphFor("--grad")) : source.program();
    Optional<Simplified> simplified =
        fuse ? Optional.of(SimplifyProgram.simplify(program)) : Optional.empty();
    MicroProgram loops = simplified.map(Simplified::program).orElse(program);
    clock.endStep("make loops");
    if (run) {
      ImmutableMap<String, Tensor> outputs = run(loops);
      clock.endStep("run");
      report.print(new TensorReport(outputs), streams);
    } else {
      boolean c = emit == MicroForm.C;
      String text = c ? EmitC.emit(loops) : MicroProgramText.print(loops);
      report.print(new MicroReport(c ? "c" : "loops", text, simplified), streams);
    }
    return ExitCode.OK;
  }

  private void checkOptions() {
    gradient.check();
    if (run && emit != null) {
      throw ProgramException.usage("--run prints outputs and --emit a program; give one of them");
    }
    if (emit == MicroForm.OP && gradient.isTaken()) {
      throw ProgramException.usage(
          "a gradient has no micro ops; --grad goes with --emit loops or c");
    }
    if (!run && !(feeds.isEmpty() && shapes.isEmpty() && scalars.isEmpty())) {
      throw ProgramException.usage("--feed, --shape and --set go with --run");
    }
  }

  private ImmutableMap<String, Tensor> run(MicroProgram program) {
    MicroArguments arguments = MicroArguments.of(program, scalars, shapes, feeds);
    try {
      return MicroInterpreter.run(program, arguments.inputs(), arguments.scalars());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw ProgramException.usage(program.name() + " does not run: " + e.getMessage());
    }
  }
}
