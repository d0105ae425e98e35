package dev.sublet.cli.flag;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.ProgramException;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.op.Differentiate;
import dev.sublet.runtime.micro.op.GradientRequest;
import dev.sublet.runtime.micro.op.MicroGraph;
import dev.sublet.runtime.micro.op.MicroNode;
import dev.sublet.runtime.micro.op.MicroOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** The options for the gradient of an operator. */
public final class GradientFlags {

  /** The suffix that makes the name of a gradient of the name of its tensor. */
  private static final String SUFFIX = "_grad";

  @Option(
      names = "--grad",
      description =
          "Take gradients of inputs, from gradients of outputs, instead of the operator "
              + "itself. --given and --wanted say which.")
  private boolean gradient;

  @Option(
      names = "--given",
      split = ",",
      paramLabel = "NAME",
      description =
          "With --grad: a tensor that the gradient may read: an input, an output, or the "
              + "gradient of an output (NAME_grad). The gradients of the other outputs are 0. "
              + "What is not given is computed anew. Repeatable, or separated by commas. Default: "
              + "all inputs, and the gradients of all floating-point outputs. Example: --given "
              + "y_grad,x,y.")
  private List<String> given = new ArrayList<>();

  @Option(
      names = "--wanted",
      split = ",",
      paramLabel = "NAME",
      description =
          "With --grad: an input whose gradient is computed. Repeatable, or separated by "
              + "commas. Default: all floating-point inputs. Example: --wanted x.")
  private List<String> wanted = new ArrayList<>();

  /** Whether a gradient is to be taken. */
  public boolean isTaken() {
    return gradient;
  }

  /**
   * Checks that no option is given in vain.
   *
   * @throws ProgramException if one is
   */
  public void check() {
    if (!gradient && !(given.isEmpty() && wanted.isEmpty())) {
      throw ProgramException.usage("--given and --wanted go with --grad");
    }
  }

  /**
   * Returns the program that computes the gradients of an operator.
   *
   * @throws ProgramException if the operator does not have what the options name, or if what is
   *     given does not suffice
   */
  public MicroProgram gradient(MicroGraph graph) {
    GradientRequest request = request(graph);
    try {
      return Differentiate.gradient(graph, request).program();
    } catch (IllegalArgumentException e) {
      throw ProgramException.usage("--grad: " + e.getMessage() + "; see --given");
    }
  }

  private GradientRequest request(MicroGraph graph) {
    Set<String> inputs = new TreeSet<>();
    Set<String> differentiable = new TreeSet<>();
    for (MicroNode node : graph.nodes()) {
      if (node.op() instanceof MicroOp.Input) {
        inputs.add(node.name());
        if (node.type().isFloating()) {
          differentiable.add(node.name());
        }
      }
    }
    if (differentiable.isEmpty()) {
      throw ProgramException.usage(
          "--grad: '" + graph.name() + "' has no floating-point input to differentiate by");
    }
    for (String name : wanted) {
      if (!differentiable.contains(name)) {
        throw ProgramException.usage(
            (inputs.contains(name)
                    ? "--wanted: '"
                        + name
                        + "' has no gradient, since it has no floating-point numbers"
                    : "--wanted: '" + graph.name() + "' has no input '" + name + "'")
                + "; name some of: "
                + Joiner.on(", ").join(differentiable));
      }
    }
    GradientRequest usual = GradientRequest.fromInputs(graph);
    ImmutableSet<String> results = wanted.isEmpty() ? usual.wanted() : ImmutableSet.copyOf(wanted);
    return given.isEmpty()
        ? new GradientRequest(usual.given(), usual.outputs(), results)
        : given(graph, inputs, usual.outputs(), results);
  }

  /** The request with the tensors and the gradients of outputs that are given. */
  private GradientRequest given(
      MicroGraph graph, Set<String> inputs, Set<String> outputs, ImmutableSet<String> results) {
    ImmutableSet.Builder<String> tensors = ImmutableSet.builder();
    ImmutableSet.Builder<String> gradients = ImmutableSet.builder();
    for (String name : given) {
      String output =
          name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : "";
      if (inputs.contains(name) || graph.outputs().containsKey(name)) {
        tensors.add(name);
      } else if (outputs.contains(output)) {
        gradients.add(output);
      } else {
        Set<String> all = new TreeSet<>(inputs);
        all.addAll(graph.outputs().keySet());
        outputs.forEach(each -> all.add(each + SUFFIX));
        throw ProgramException.usage(
            "--given: '"
                + graph.name()
                + "' has no '"
                + name
                + "'; name some of: "
                + Joiner.on(", ").join(all));
      }
    }
    ImmutableSet<String> known = gradients.build();
    if (known.isEmpty()) {
      throw ProgramException.usage(
          "--given: without the gradient of an output all gradients are 0; name some of: "
              + Joiner.on("_grad, ").join(outputs)
              + SUFFIX);
    }
    return new GradientRequest(tensors.build(), known, results);
  }
}
