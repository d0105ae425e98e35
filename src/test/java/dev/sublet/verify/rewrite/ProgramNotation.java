package dev.sublet.verify.rewrite;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.InPlaceRuns;
import dev.sublet.operator.spec.LodFlow;
import dev.sublet.operator.spec.LodRule;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.operator.spec.OrderRule;
import dev.sublet.operator.spec.OutputEffects;
import dev.sublet.program.Program;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.List;

/**
 * A line-based notation for small programs, and a catalog for their operators.
 *
 * <pre>
 *   block 1 parent 0 forward 2
 *   var x FP32[2,3] persistable feed lod
 *   var scopes STEP_SCOPES
 *   op relu X=x -&gt; Out=a,b | sub_block=@1 states=[p,q] flag=true text=word
 * </pre>
 *
 * <p>Block 0 is open at the start; an attribute {@code target} marks the operator a target.
 */
public final class ProgramNotation {

  /** Listed at every snapshot, so that a pair is on whatever the version. */
  private static final String ALL_VERSIONS = "1.5,1.8,2.0,2.2,2.3,2.4,2.6,HEAD";

  private static final Splitter WORDS = Splitter.on(' ').omitEmptyStrings().trimResults();
  private static final Splitter COMMAS = Splitter.on(',').omitEmptyStrings();

  private ProgramNotation() {}

  public static Program parse(String text) {
    ProgramDesc.Builder program = ProgramDesc.newBuilder();
    program.addBlocks(BlockDesc.newBuilder().setIdx(0).setParentIdx(-1));
    for (String line : Splitter.on('\n').trimResults().omitEmptyStrings().split(text)) {
      List<String> words = WORDS.splitToList(line);
      BlockDesc.Builder block = program.getBlocksBuilder(program.getBlocksCount() - 1);
      switch (words.get(0)) {
        case "block" -> program.addBlocks(block(words));
        case "var" -> block.addVars(variable(words));
        case "op" -> block.addOps(operation(line.substring(3)));
        default -> throw new IllegalArgumentException(line);
      }
    }
    return Program.of(program.build());
  }

  private static BlockDesc block(List<String> words) {
    BlockDesc.Builder block = BlockDesc.newBuilder();
    block.setIdx(Integer.parseInt(words.get(1))).setParentIdx(0);
    for (int i = 2; i < words.size(); i += 2) {
      int value = Integer.parseInt(words.get(i + 1));
      if (words.get(i).equals("parent")) {
        block.setParentIdx(value);
      } else {
        block.setForwardBlockIdx(value);
      }
    }
    return block.build();
  }

  private static VarDesc variable(List<String> words) {
    VarDesc.Builder variable = VarDesc.newBuilder().setName(words.get(1));
    String type = words.get(2);
    int bracket = type.indexOf('[');
    if (bracket < 0) {
      variable.setType(VarType.newBuilder().setType(VarType.Type.valueOf(type)));
    } else {
      VarType.TensorDesc.Builder tensor =
          VarType.TensorDesc.newBuilder()
              .setDataType(VarType.Type.valueOf(type.substring(0, bracket)));
      for (String extent : COMMAS.split(type.substring(bracket + 1, type.length() - 1))) {
        tensor.addDims(Long.parseLong(extent));
      }
      variable.setType(
          VarType.newBuilder()
              .setType(VarType.Type.LOD_TENSOR)
              .setLodTensor(
                  VarType.LoDTensorDesc.newBuilder()
                      .setTensor(tensor)
                      .setLodLevel(words.contains("lod") ? 1 : 0)));
    }
    variable.setPersistable(words.contains("persistable"));
    variable.setNeedCheckFeed(words.contains("feed"));
    return variable.build();
  }

  private static OpDesc operation(String text) {
    String[] parts = (text + " | ").split("\\|", 2);
    String[] sides = (parts[0] + " -> ").split("->", 2);
    List<String> inputs = WORDS.splitToList(sides[0]);
    OpDesc.Builder operation = OpDesc.newBuilder().setType(inputs.get(0));
    inputs.subList(1, inputs.size()).forEach(word -> operation.addInputs(slot(word)));
    for (String word : WORDS.split(sides[1].replace("->", ""))) {
      operation.addOutputs(slot(word));
    }
    for (String word : WORDS.split(parts[1].replace("|", ""))) {
      if (word.equals("target")) {
        operation.setIsTarget(true);
      } else {
        operation.addAttrs(attribute(word));
      }
    }
    return operation.build();
  }

  private static OpDesc.Var slot(String word) {
    int equals = word.indexOf('=');
    return OpDesc.Var.newBuilder()
        .setParameter(word.substring(0, equals))
        .addAllArguments(COMMAS.split(word.substring(equals + 1)))
        .build();
  }

  private static OpDesc.Attr attribute(String word) {
    int equals = word.indexOf('=');
    String value = word.substring(equals + 1);
    OpDesc.Attr.Builder attribute = OpDesc.Attr.newBuilder().setName(word.substring(0, equals));
    if (value.startsWith("@")) {
      attribute.setType(AttrType.BLOCK).setBlockIdx(Integer.parseInt(value.substring(1)));
    } else if (value.startsWith("[")) {
      attribute
          .setType(AttrType.STRINGS)
          .addAllStrings(COMMAS.split(value.substring(1, value.length() - 1)));
    } else if (value.equals("true") || value.equals("false")) {
      attribute.setType(AttrType.BOOLEAN).setB(value.equals("true"));
    } else {
      attribute.setType(AttrType.STRING).setS(value);
    }
    return attribute.build();
  }

  /** The operators of the tests: {@code relu} and {@code reshape} have in-place pairs. */
  public static OperatorCatalog catalog() {
    return OperatorCatalog.of(
        ImmutableList.of(
            straight("relu", "X"),
            straight("reshape", "X"),
            straight("tanh"),
            replacingLod("mul"),
            straight("add"),
            straight("concat"),
            straight("split"),
            straight("sum"),
            straight("fill_constant"),
            straight("assign"),
            straight("cast"),
            straight("logical_not"),
            straight("select_input"),
            straight("less_than"),
            straight("increment"),
            straight("feed"),
            straight("fetch"),
            straight("optimize"),
            spec("set_value", ControlKind.NONE, Effect.READ_WRITE, ImmutableList.of()),
            spec("scatter_some", ControlKind.NONE, Effect.MAY_WRITE, ImmutableList.of()),
            spec("delete_var", ControlKind.NONE, Effect.MAY_WRITE, ImmutableList.of()),
            aliases("share_data"),
            shapeOnly("reduce_grad"),
            control("while", ControlKind.WHILE),
            control("while_grad", ControlKind.WHILE_GRAD),
            control("conditional_block", ControlKind.CONDITIONAL),
            control("conditional_block_grad", ControlKind.CONDITIONAL_GRAD),
            control("recurrent", ControlKind.RECURRENT)));
  }

  private static OperatorSpec straight(String type, String... inPlaceInputs) {
    ImmutableList.Builder<InPlacePair> pairs = ImmutableList.builder();
    for (String input : inPlaceInputs) {
      pairs.add(InPlacePair.of(input, "Out", ALL_VERSIONS, new InPlaceRuns(1, 1)));
    }
    return spec(type, ControlKind.NONE, Effect.MUST_WRITE, pairs.build());
  }

  private static OperatorSpec replacingLod(String type) {
    return spec(
        type, ControlKind.NONE, Effect.MUST_WRITE, ImmutableList.of(), ImmutableSet.of("Out"));
  }

  private static OperatorSpec control(String type, ControlKind kind) {
    return spec(type, kind, Effect.MAY_WRITE, ImmutableList.of());
  }

  private static OperatorSpec spec(
      String type, ControlKind kind, Effect effect, ImmutableList<InPlacePair> pairs) {
    return spec(type, kind, effect, pairs, /* lodReplaced= */ ImmutableSet.of());
  }

  private static OperatorSpec spec(
      String type,
      ControlKind kind,
      Effect effect,
      ImmutableList<InPlacePair> pairs,
      ImmutableSet<String> lodReplaced) {
    return spec(type, kind, effect, pairs, lodReplaced, ImmutableSet.of(), /* aliasesBefore= */ 0);
  }

  private static OperatorSpec aliases(String type) {
    return spec(
        type,
        ControlKind.NONE,
        Effect.MUST_WRITE,
        ImmutableList.of(),
        ImmutableSet.of(),
        ImmutableSet.of(),
        /* aliasesBefore= */ Long.MAX_VALUE);
  }

  private static OperatorSpec shapeOnly(String type) {
    return spec(
        type,
        ControlKind.NONE,
        Effect.MUST_WRITE,
        ImmutableList.of(),
        ImmutableSet.of(),
        /* noNeedBuffer= */ ImmutableSet.of("X"),
        /* aliasesBefore= */ 0);
  }

  private static OperatorSpec spec(
      String type,
      ControlKind kind,
      Effect effect,
      ImmutableList<InPlacePair> pairs,
      ImmutableSet<String> lodReplaced,
      ImmutableSet<String> noNeedBuffer,
      long aliasesBefore) {
    return new OperatorSpec(
        type,
        OrderRule.FREE,
        kind,
        OutputEffects.all(effect),
        /* writtenInputs= */ ImmutableSet.of(),
        pairs,
        new LodFlow(
            LodRule.PASSES,
            /* sources= */ ImmutableSet.of(),
            lodReplaced,
            /* confirmed= */ ImmutableSet.of()),
        /* hostOutputs= */ ImmutableSet.of(),
        noNeedBuffer,
        aliasesBefore,
        /* viewRule= */ null,
        /* shapeRule= */ null);
  }
}
