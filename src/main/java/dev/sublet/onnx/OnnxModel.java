package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.Draft.DraftOperator;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.OperatorSetIdProto;
import dev.sublet.proto.onnx.SparseTensorProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An ONNX model and the program that it is translated into: the package's front door.
 *
 * <p>The program begins with a {@code feed} operator for each input and ends with a {@code fetch}
 * operator for each output. Between them are the operators for the nodes, in their order, with the
 * types that the catalog lists. {@code Constant} nodes become variables, not operators.
 */
public final class OnnxModel {

  /** The latest IR version that this class supports. */
  private static final long KNOWN_IR_VERSION = 13;

  /** From this IR version on, an initializer that is also an input is a default, not a constant. */
  private static final long FIRST_WITH_DEFAULTS = 4;

  private final ModelProto message;
  private final Program program;
  private final ImmutableList<OnnxValue> values;
  private final ImmutableList<OnnxConstant> constants;
  private final ConstantsMode mode;
  private final ImmutableList<Diagnostic> warnings;

  private OnnxModel(
      ModelProto message,
      Program program,
      ImmutableList<OnnxValue> values,
      ImmutableList<OnnxConstant> constants,
      ConstantsMode mode,
      ImmutableList<Diagnostic> warnings) {
    this.message = message;
    this.program = program;
    this.values = values;
    this.constants = constants;
    this.mode = mode;
    this.warnings = warnings;
  }

  /**
   * Translates a model whose computed constants are folded, see {@link #of(ModelProto,
   * ConstantsMode)}.
   */
  public static OnnxModel of(ModelProto message) {
    return of(message, ConstantsMode.FOLDED);
  }

  /**
   * Translates a model. O(nodes × nesting depth), counted after functions are inlined; weights are
   * not read.
   *
   * @throws ProgramException if the model is malformed (exit code 3), or has an unsupported part
   *     (exit code 4)
   */
  public static OnnxModel of(ModelProto message, ConstantsMode mode) {
    if (!message.hasGraph()) {
      throw ProgramException.unreadable(
          Location.nowhere(), "the model has no graph; is this an ONNX ModelProto?");
    }
    NameEncoding.check(message);
    DiagnosticLog log = new DiagnosticLog();
    if (message.getIrVersion() > KNOWN_IR_VERSION) {
      log.warn(
          Location.nowhere(),
          "the model has IR version "
              + message.getIrVersion()
              + ", the latest that is known is "
              + KNOWN_IR_VERSION
              + ": what is new in it is not looked at");
    }
    Draft draft = new Draft(opset(message), mode);
    translate(message, draft, log);
    return new OnnxModel(
        message, draft.build(), draft.values(), draft.data(), mode, log.diagnostics());
  }

  /** The version of ONNX's operators in a model: that of the first import of them, or 1. */
  static long opset(ModelProto message) {
    for (OperatorSetIdProto imported : message.getOpsetImportList()) {
      if (OnnxNodes.isOnnx(imported.getDomain())) {
        return imported.getVersion();
      }
    }
    return 1;
  }

  private static void translate(ModelProto message, Draft draft, DiagnosticLog log) {
    GraphProto graph = message.getGraph();
    Functions functions = new Functions(message);
    WrittenSize.check(graph, functions);
    Set<String> initialized = new HashSet<>();
    for (TensorProto tensor : graph.getInitializerList()) {
      initialized.add(tensor.getName());
    }
    for (SparseTensorProto tensor : graph.getSparseInitializerList()) {
      initialized.add(tensor.getValues().getName());
    }
    initialized.forEach(draft::reserve);
    graph.getInputList().forEach(input -> draft.reserve(input.getName()));
    for (NodeProto node : graph.getNodeList()) {
      node.getOutputList().forEach(draft::reserve);
    }
    int block = draft.addBlock(-1);
    String feeds = draft.invent("feed");
    String fetches = draft.invent("fetch");
    draft.declareHolder(feeds, /* ofFeeds= */ true);
    draft.declareHolder(fetches, /* ofFeeds= */ false);
    GraphTranslation translation =
        new GraphTranslation(
            draft, functions, log, OnnxScope.empty(OnnxValue.MAIN), block, ImmutableMap.of());
    int column = 0;
    for (ValueInfoProto input : graph.getInputList()) {
      if (initialized.contains(input.getName())) {
        // Up to IR version 3, all initializers are listed as inputs too.
        if (message.getIrVersion() >= FIRST_WITH_DEFAULTS) {
          translation.declareDefault(input);
        }
      } else {
        String variable = translation.declareInput(input);
        DraftOperator feed = new DraftOperator("feed").in("X", feeds).out("Out", variable);
        draft.add(block, feed.number("col", column++), "the model's input");
      }
    }
    translation.translate(graph);
    column = 0;
    for (ValueInfoProto output : graph.getOutputList()) {
      if (output.getName().isEmpty()) {
        throw OnnxNodes.malformed("output " + column + " of the model", "has no name");
      }
      String variable = translation.variable(output.getName(), "the model's output list");
      DraftOperator fetch = new DraftOperator("fetch").in("X", variable).out("Out", fetches);
      draft.add(block, fetch.number("col", column++), "the model's output");
    }
  }

  /** The program. */
  public Program program() {
    return program;
  }

  /** The values of the model with their variables, in the order of the nodes. */
  public ImmutableList<OnnxValue> values() {
    return values;
  }

  /** The elements that the model gives to variables, those of inner graphs and functions too. */
  public ImmutableList<OnnxConstant> constants() {
    return constants;
  }

  /**
   * The main graph, and the graphs that it runs, in which nodes may have another order. A graph
   * comes before those inside it. O(size of the model × nesting depth).
   */
  public ImmutableList<ModelGraph> graphs() {
    return ModelGraphs.of(message);
  }

  /**
   * Returns the model with some nodes of graphs in another order. Each of the other nodes of such a
   * graph stays before the nodes that it precedes in the file, and comes before the first node that
   * reads an output of it. O(size of the model).
   *
   * @param moved by path of one of the {@link #graphs}: positions of nodes in the file, each at
   *     most once, such that no node comes before another one of them whose output it reads
   */
  public OnnxModel reordered(ImmutableMap<String, ImmutableIntArray> moved) {
    return of(ModelGraphs.reordered(message, moved), mode);
  }

  /**
   * Returns the model in which an operator's node runs a second time before a reader of its only
   * output, and that reader and all later ones read the second output; see {@link
   * OperatorEdits#again}. Empty if they are no nodes of the main graph. O(size of the model). Not
   * checked: whether the model computes the same.
   *
   * @param writer an operator of the program's first block
   * @param reader the index of the first operator that reads the second output
   */
  public Optional<OnnxModel> repeating(Operation writer, int reader) {
    return new MainGraphEdit(this).repeating(writer, reader).map(changed -> of(changed, mode));
  }

  /**
   * Returns the model in which operators run on the first half of the rows and then on the second
   * half, where the last node was; see {@link OperatorEdits.SplitPart#half}. Empty if they are no
   * nodes of the main graph. O(size of the model). Not checked: whether the rows are independent.
   *
   * @param part operators of the program's first block
   * @param variables the tensor that is sliced, then the output of each operator
   * @param rowsOfFirst the number of rows of the first half; the second one takes all others
   */
  public Optional<OnnxModel> splitting(
      List<Operation> part, List<Integer> variables, long rowsOfFirst) {
    return new MainGraphEdit(this)
        .splitting(part, variables, rowsOfFirst)
        .map(changed -> of(changed, mode));
  }

  /** Returns the model without one of its outputs, by index. O(size of the model). */
  public OnnxModel withoutOutput(int index) {
    return of(
        message.toBuilder().setGraph(message.getGraph().toBuilder().removeOutput(index)).build(),
        mode);
  }

  /**
   * Returns the model for a runtime that computes constants in every run: they are values like
   * others, and each node of the main graph that computes one comes directly before the first node
   * that needs it. O(size of the model).
   */
  public OnnxModel withConstantsInArena() {
    ImmutableList<ModelNode> sorted = graphs().get(0).nodes();
    BitSet computed = new BitSet();
    Set<String> persistable = persistableValues();
    for (int i = 0; i < sorted.size(); i++) {
      computed.set(i, sorted.get(i).writes().stream().anyMatch(persistable::contains));
    }
    GraphProto.Builder graph = message.getGraph().toBuilder().clearNode();
    LateConstants.order(sorted, computed)
        .forEach(i -> graph.addNode(message.getGraph().getNode(i)));
    return of(message.toBuilder().setGraph(graph).build(), ConstantsMode.ARENA);
  }

  /**
   * Returns the model without the stacks and notes of its nodes, which exporters write to {@code
   * doc_string} and {@code metadata_props}. O(size of the model).
   */
  public OnnxModel withoutStacks() {
    return of(NodeSource.strip(message), mode);
  }

  /** The names of the values of the main graph that are the same in every run. */
  private Set<String> persistableValues() {
    Set<String> names = new HashSet<>();
    for (OnnxValue value : values) {
      int variable = program.declared(value.variable().block(), value.variable().name());
      if (value.isInMainGraph()
          && variable != Program.NO_VARIABLE
          && program.variable(variable).isPersistable()) {
        names.add(value.name());
      }
    }
    return names;
  }

  /** The warnings of the translation; usually empty. */
  public ImmutableList<Diagnostic> warnings() {
    return warnings;
  }

  /** The message that was translated; only the codec may call this. */
  public ModelProto toMessage() {
    return message;
  }

  /**
   * Returns a copy of the message with a plan of its program in {@code metadata_props}, in place of
   * an earlier plan. Only the codec may call this. O(values + allocations).
   */
  public ModelProto annotated(MemoryPlan plan) {
    return PlanAnnotation.of(this, plan);
  }
}
