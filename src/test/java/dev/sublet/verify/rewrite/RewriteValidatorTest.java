package dev.sublet.verify.rewrite;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableSet;
import com.google.protobuf.UnknownFieldSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.testing.InferredSizes;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each test renames by hand; {@code accepts} and {@code rejects} tell what the validator says. */
final class RewriteValidatorTest {

  /** x → a → b → c, fetched; b cannot be written over a, but c over a can. */
  private static final String CHAIN =
      """
      var fetch FETCH_LIST persistable
      var x FP32[4] feed
      var a FP32[4]
      var b FP32[4]
      var c FP32[4]
      op tanh X=x -> Out=a
      op tanh X=a -> Out=b
      op tanh X=b -> Out=c
      op fetch X=c -> Out=fetch
      """;

  private static final String LOOP =
      """
      var fetch FETCH_LIST persistable
      var x FP32[4] feed
      var c BOOL[1]
      var s FP32[4]
      var d FP32[4]
      var o FP32[4]
      op fill_constant -> Out=c
      op tanh X=x -> Out=s
      op tanh X=x -> Out=d
      op while X=s,d Condition=c -> Out=s,c | sub_block=@1
      op tanh X=s -> Out=o
      op fetch X=o -> Out=fetch
      block 1
      var t FP32[4]
      var u FP32[4]
      op add X=s Y=d -> Out=t
      op tanh X=t -> Out=u
      op tanh X=u -> Out=s
      op less_than X=s Y=s -> Out=c
      """;

  private static final String BRANCHES =
      """
      var fetch FETCH_LIST persistable
      var x FP32[4] feed
      var c BOOL[1]
      var n BOOL[1]
      var m INT32[1]
      var t FP32[4]
      var f FP32[4]
      var o FP32[4]
      op less_than X=x Y=x -> Out=c
      op conditional_block Cond=c Input=x -> Out=t | sub_block=@1 is_scalar_condition=true
      op logical_not X=c -> Out=n
      op conditional_block Cond=n Input=x -> Out=f | sub_block=@2 is_scalar_condition=true
      op cast X=c -> Out=m
      op select_input X=f,t Mask=m -> Out=o
      op fetch X=o -> Out=fetch
      block 1
      op tanh X=x -> Out=t
      block 2
      op tanh X=x -> Out=f
      """;

  private static final String TRAINING =
      """
      var x FP32[4] feed
      var c BOOL[1]
      var s FP32[4]
      var scopes STEP_SCOPES
      var s@GRAD FP32[4]
      var x@GRAD FP32[4]
      op fill_constant -> Out=c
      op tanh X=x -> Out=s
      op while X=s,x Condition=c -> Out=s,c StepScopes=scopes | sub_block=@1
      op fill_constant -> Out=s@GRAD
      op while_grad X=s,x Out=s Out@GRAD=s@GRAD StepScopes=scopes -> X@GRAD=s@GRAD,x@GRAD | sub_block=@2 original_output_grad=[s@GRAD]
      op fetch X=x@GRAD -> Out=scopes
      block 1
      var t FP32[4]
      var u FP32[4]
      var w FP32[4]
      op tanh X=x -> Out=t
      op tanh X=t -> Out=u
      op tanh X=u -> Out=w
      op add X=w Y=t -> Out=s
      op less_than X=w Y=w -> Out=c
      block 2 forward 1
      var x@GRAD FP32[4]
      var h FP32[4]
      op add X=t Y=s@GRAD -> Out=h
      op tanh X=h -> Out=x@GRAD
      """;

  @Test
  void unchangedProgramsAreValid() {
    for (String text : new String[] {CHAIN, LOOP, BRANCHES, TRAINING}) {
      assertThat(validate(text, text).toString()).isEqualTo("valid");
    }
  }

  @Test
  void sharingAfterTheLastReadIsValid() {
    String original =
        CHAIN
            .replace("X=c -> Out=fetch", "X=d -> Out=fetch")
            .replace("op fetch", "op tanh X=c -> Out=d\nop fetch")
            .replace("var c", "var d FP32[4]\nvar c");
    accepts(original, without(original, "c").replace("Out=c", "Out=a").replace("X=c", "X=a"));
  }

  @Test
  void namesMayBeExchangedAsLongAsTheReadsFollow() {
    accepts(
        CHAIN,
        CHAIN
            .replace("Out=a", "Out=q")
            .replace("X=a", "X=q")
            .replace("Out=b", "Out=a")
            .replace("X=b", "X=a")
            .replace("Out=q", "Out=b")
            .replace("X=q", "X=b"));
  }

  @Test
  void overlapInTimeIsRejected() {
    String original = CHAIN.replace("op tanh X=b -> Out=c", "op add X=b Y=a -> Out=c");
    rejects(
        original,
        original
            .replace("X=x -> Out=a", "X=x -> Out=a")
            .replace("Out=b", "Out=a")
            .replace("X=b", "X=a"),
        "is written over the input 'a', which is not a legal in-place pair");
    String longer =
        original
            .replace("op add", "op tanh X=x -> Out=d\nop tanh X=d -> Out=d2\nop add")
            .replace("var c", "var d FP32[4]\nvar d2 FP32[4]\nvar c");
    rejects(
        longer,
        longer.replace("Out=d\n", "Out=a\n").replace("X=d ", "X=a "),
        "op 4 (add), variable 'a': is read, but 'a' may have been overwritten");
  }

  @Test
  void readingTheWrongVariableIsRejected() {
    rejects(
        CHAIN,
        CHAIN.replace("X=b -> Out=c", "X=a -> Out=c"),
        "block 0, op 2 (tanh), variable 'b': is read from 'a', which may hold another value");
  }

  @Test
  void overwritingAFetchedVariableIsRejected() {
    String original = CHAIN + "var e FP32[4]\nop tanh X=x -> Out=e\nop fetch X=e -> Out=fetch\n";
    rejects(
        original,
        original.replace("Out=e", "Out=c").replace("X=e", "X=c"),
        "variable 'c': is observed, but may not hold its value at the end");
    rejects(
        original,
        original.replace("Out=e", "Out=c").replace("X=e", "X=c"),
        "variable 'e': the variable must keep its name, but became 'c'");
  }

  @Test
  void aFeedIsObservedUnlessItMayBeReused() {
    String original = CHAIN;
    String rewritten = CHAIN.replace("Out=b", "Out=x").replace("X=b", "X=x");
    rejects(original, rewritten, "variable 'x': is observed, but may not hold its value");
    assertThat(
            validate(
                    original,
                    rewritten,
                    new ProofOptions(ImmutableSet.of(), ImmutableSet.of(), true))
                .toString())
        .isEqualTo("valid");
  }

  @Test
  void keptNamesKeepTheirValues() {
    String rewritten = CHAIN.replace("Out=b", "Out=a2").replace("X=b", "X=a2");
    String original = CHAIN.replace("var a", "var a2 FP32[4]\nvar a");
    rewritten = rewritten.replace("var a", "var a2 FP32[4]\nvar a");
    accepts(original, rewritten);
    assertThat(
            validate(
                    original,
                    rewritten,
                    new ProofOptions(ImmutableSet.of(), ImmutableSet.of("b"), false))
                .toString())
        .contains("variable 'b': the variable must keep its name");
  }

  @Test
  void unreadResultsAreObservedIfNothingIsFetched() {
    String original = CHAIN.replace("op fetch X=c -> Out=fetch\n", "");
    rejects(
        original,
        without(original, "c").replace("Out=c", "Out=a"),
        "variable 'c': the variable must keep its name, but became 'a'");
  }

  @Test
  void inPlaceNeedsAPairInTheCatalog() {
    String original = CHAIN.replace("op tanh X=a -> Out=b", "op relu X=a -> Out=b");
    String rewritten = without(original, "b").replace("Out=b", "Out=a").replace("X=b", "X=a");
    accepts(original, rewritten);
    rejects(
        CHAIN,
        rewritten.replace("relu", "tanh"),
        "op 1 (tanh), variable 'b': is written over the input 'a', which is not a legal in-place");
  }

  @Test
  void inPlaceNeedsEqualBytesAndASingleRead() {
    String reshape = CHAIN.replace("op tanh X=a -> Out=b", "op reshape X=a -> Out=b");
    String smaller = reshape.replace("var b FP32[4]", "var b FP32[2]");
    rejects(
        smaller,
        without(smaller, "b").replace("Out=b", "Out=a").replace("X=b", "X=a"),
        "is not a legal in-place pair");
    String twice = reshape.replace("op reshape X=a ->", "op reshape X=a Shape=a ->");
    rejects(
        twice,
        without(twice, "b").replace("Out=b", "Out=a").replace("X=b", "X=a"),
        "is not a legal in-place pair");
  }

  @Test
  void inPlaceNeedsTheInputToDie() {
    String original =
        CHAIN
            .replace("op tanh X=a -> Out=b", "op relu X=a -> Out=b")
            .replace("op tanh X=b -> Out=c", "op add X=b Y=a -> Out=c");
    rejects(
        original,
        without(original, "b").replace("Out=b", "Out=a").replace("X=b", "X=a"),
        "op 2 (add), variable 'a': is read, but 'a' may have been overwritten");
  }

  @Test
  void oneVariableThatIsInputAndOutputKeepsOneName() {
    String original =
        CHAIN.replace("op tanh X=a -> Out=b", "op increment X=a -> Out=a\nop tanh X=a -> Out=b");
    accepts(original, original);
    rejects(
        original,
        original.replace(
            "increment X=a -> Out=a\nop tanh X=a", "increment X=a -> Out=c\nop tanh X=c"),
        "is read from 'c', which may hold another value");
  }

  @Test
  void distinctOutputsStayDistinct() {
    String original =
        CHAIN
            .replace("op tanh X=a -> Out=b", "op split X=a -> Out=b,d")
            .replace("var b", "var d FP32[4]\nvar b");
    rejects(
        original,
        original.replace("Out=b,d", "Out=b,b"),
        "op 1 (split), variable 'd': two outputs became one: the other is 'b'");
  }

  @Test
  void weightsKeepTheirNamesToThemselves() {
    String original =
        CHAIN
            .replace("var a FP32[4]", "var a FP32[4]\nvar w FP32[4] persistable")
            .replace("op tanh X=x -> Out=a", "op add X=x Y=w -> Out=a");
    rejects(
        original, original.replace("Y=w", "Y=b"), "variable 'w': the variable must keep its name");
    rejects(
        original,
        original.replace("Out=b", "Out=w").replace("X=b", "X=w"),
        "variable 'b': became 'w', a name that may not be shared");
    rejects(
        original,
        original.replace("Out=b", "Out=w").replace("X=b", "X=w"),
        "only one of them is persistable");
  }

  @Test
  void declarationsMustSuitEveryOccupant() {
    String base =
        CHAIN
            .replace("X=c -> Out=fetch", "X=d -> Out=fetch")
            .replace("op fetch", "op tanh X=c -> Out=d\nop fetch")
            .replace("var c", "var d FP32[4]\nvar c");
    String[][] cases = {
      {"INT32[4]", "their data types differ: INT32 and FP32"},
      {"FP32[4] lod", "levels of LoD are lost: 1 are declared as 0"},
      {"FP32[5]", "is not surely as large"},
    };
    for (String[] each : cases) {
      String original = base.replace("var c FP32[4]", "var c " + each[0]);
      rejects(
          original,
          without(original, "c").replace("Out=c", "Out=a").replace("X=c", "X=a"),
          each[1]);
    }
    String smaller = base.replace("var c FP32[4]", "var c FP32[3]");
    accepts(smaller, without(smaller, "c").replace("Out=c", "Out=a").replace("X=c", "X=a"));
  }

  /** A copy that nobody reads may go, but nobody knows what its block does. */
  @Test
  void copiesWithABlockMustStay() {
    String original =
        """
        var fetch FETCH_LIST persistable
        var w FP32[4] persistable
        var x FP32[4]
        var t FP32[4]
        op assign X=w -> Out=t
        op fetch X=x -> Out=fetch
        """;
    String copy = "op assign X=w -> Out=t\n";
    accepts(original, original.replace(copy, ""));
    String block = "block 1 parent 0\nop tanh X=w -> Out=x\n";
    String withBlock = original.replace("Out=t", "Out=t | sub_block=@1") + block;
    rejects(withBlock, original.replace(copy, "") + block, "assign");
  }

  /**
   * Nobody can allocate by a declaration with open extents, but one that is closed must suffice.
   */
  @Test
  void onlyDeclarationsThatStateASizeMustBeLargeEnough() {
    String original =
        CHAIN
            .replace("var x FP32[4] feed", "var x FP32[4] feed\nvar z FP32[2] feed")
            .replace("X=b -> Out=c", "X=z -> Out=c")
            .replace("var c FP32[4]", "var c FP32[2]");
    String shared = original.replace("Out=a", "Out=c").replace("X=a", "X=c");
    rejects(original, without(shared, "a"), "is not surely as large");
    String open = original.replace("var c FP32[2]", "var c FP32[2,-1]");
    String openShared = without(shared, "a").replace("var c FP32[2]", "var c FP32[2,-1]");
    accepts(open, openShared);
    rejects(open, openShared.replace("[2,-1]", "[3,-1]"), "is not surely as large");
  }

  /** LoD stays with a name until somebody replaces it. */
  @Test
  void lodMustNotShowThroughToOtherOccupants() {
    String original =
        CHAIN
            .replace("X=c -> Out=fetch", "X=d -> Out=fetch")
            .replace("op fetch", "op tanh X=c -> Out=d\nop fetch")
            .replace("var c FP32[4]", "var d FP32[4]\nvar c FP32[4] lod")
            .replace("op tanh X=b -> Out=c", "op mul X=b -> Out=c")
            .replace("op tanh X=x -> Out=a", "op mul X=x -> Out=a");
    String rewritten =
        without(original, "c")
            .replace("Out=c", "Out=a")
            .replace("X=c", "X=a")
            .replace("var a FP32[4]", "var a FP32[4] lod");
    accepts(original, rewritten);
    rejects(
        original.replace("op mul X=x", "op tanh X=x"),
        rewritten.replace("op mul X=x", "op tanh X=x"),
        "variable 'c': became 'a', but one that may carry LoD shares the name with 'a', whose"
            + " writers need not replace it");
    rejects(
        original.replace("op mul X=b", "op tanh X=b"),
        rewritten.replace("op mul X=b", "op tanh X=b"),
        "one that may carry LoD from before shares the name with");
    String unread =
        original
            .replace("op mul X=b -> Out=c", "op tanh X=b -> Out=c")
            .replace("op tanh X=c -> Out=d", "op tanh X=b -> Out=d");
    accepts( // nobody sees the LoD of c
        unread,
        without(unread, "c")
            .replace("Out=c", "Out=a")
            .replace("var a FP32[4]", "var a FP32[4] lod"));
    rejects(
        original.replace(" lod", ""),
        rewritten,
        "variable 'a': is declared with 1 levels of LoD, more than any occupant");
  }

  @Test
  void lodFromAnEarlierWriteStaysWithTheName() {
    String original =
        CHAIN
            .replace("var c FP32[4]", "var o FP32[4]\nvar d FP32[4] lod\nvar c FP32[4] lod")
            .replace("op fetch X=c", "op tanh X=a -> Out=c\nop tanh X=c -> Out=o\nop fetch X=o");
    rejects(
        original,
        original.replace("X=b -> Out=c", "X=b -> Out=d"),
        "variable 'c': goes by several names, but LoD from before must show through");
    String replacing = original.replaceAll("op tanh X=(.) -> Out=c", "op mul X=$1 -> Out=c");
    accepts(replacing, replacing.replace("X=b -> Out=c", "X=b -> Out=d"));
  }

  @Test
  void copyIntoPersistableIsKeptWhereItsNeighborGoes() {
    String original =
        CHAIN
            .replace("var c FP32[4]", "var c FP32[4]\nvar d FP32[4]\nvar w FP32[4] persistable")
            .replace(
                "op tanh X=b -> Out=c",
                "op assign X=a -> Out=w\nop assign X=b -> Out=d\nop tanh X=d -> Out=c");
    String rewritten =
        original
            .replace("op assign X=b -> Out=d\n", "")
            .replace("X=d", "X=b")
            .replace("var d FP32[4]\n", "");
    accepts(original, rewritten);
    rejects(
        original,
        rewritten.replace("X=a -> Out=w", "X=b -> Out=w"),
        "variable 'a': is read from 'b'");
    rejects(
        original,
        rewritten.replace("op assign X=a -> Out=w\n", ""),
        "variable 'w': must be written here, but the rewritten program lacks the copy");
    rejects(
        original,
        rewritten.replace(
            "op assign X=a -> Out=w",
            "op assign X=a -> Out=w\nop assign X=a -> Out=w\nop assign X=a -> Out=w"),
        "of the rewritten program, which the original lacks, may not write it");
    rejects(
        original,
        rewritten
            .replace("op assign X=a -> Out=w\n", "")
            .replace("op tanh X=b", "op assign X=a -> Out=w\nop tanh X=b")
            .replace(
                "op assign X=a -> Out=w\nop tanh X=b -> Out=c",
                "op tanh X=b -> Out=c\nop assign X=a -> Out=w"),
        "may not write it");
  }

  @Test
  void structureMustBeTheSame() {
    rejects(CHAIN, CHAIN.replace("op tanh X=a", "op relu X=a"), "an operator of type relu here");
    rejects(CHAIN, CHAIN.replace("op tanh X=a -> Out=b\n", ""), "of type fetch here");
    rejects(CHAIN, CHAIN + "op tanh X=c -> Out=b\n", "an operator that the original lacks: op 4");
    rejects(CHAIN, CHAIN.replace("X=a", "Z=a"), "input slot 'X' was changed");
    rejects(CHAIN, CHAIN.replace("X=a", "X=a,a"), "input slot 'X' was changed");
    rejects(CHAIN, CHAIN.replace("X=a", "X=@EMPTY@"), "an empty argument was filled or emptied");
    rejects(CHAIN, CHAIN.replace("X=b", "X=b Y=b"), "the number of input slots was changed");
    rejects(CHAIN, CHAIN.replace("var b", "var z FP32[4]\nvar b"), "does not declare the variable");
    rejects(CHAIN, CHAIN.replace("Out=b", "Out=b | k=v"), "attributes were added, removed");
    rejects(CHAIN, CHAIN + "block 1\n", "the number of blocks was changed");
    rejects(
        CHAIN.replace("Out=b", "Out=b | k=v"),
        CHAIN.replace("Out=b", "Out=b | k=w"),
        "attribute 'k' was changed");
    rejects(CHAIN, CHAIN.replace("Out=b", "Out=b | target"), "is_target was changed");
  }

  /** Every message of a program gets a field of a newer writer, one at a time. */
  @Test
  void unknownFieldsMustBeTheSame() {
    ProgramDesc plain = ProgramNotation.parse(CHAIN.replace("Out=b", "Out=b | k=v")).toMessage();
    UnknownFieldSet newer =
        UnknownFieldSet.newBuilder()
            .addField(1000, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    List<ProgramDesc.Builder> changed = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      changed.add(plain.toBuilder());
    }
    changed.get(0).setUnknownFields(newer);
    changed.get(1).getBlocksBuilder(0).setUnknownFields(newer);
    OpDesc.Builder operation = changed.get(2).getBlocksBuilder(0).getOpsBuilder(1);
    operation.setUnknownFields(newer);
    operation = changed.get(3).getBlocksBuilder(0).getOpsBuilder(1);
    operation.getInputsBuilder(0).setUnknownFields(newer);
    operation = changed.get(4).getBlocksBuilder(0).getOpsBuilder(1);
    operation.getOutputsBuilder(0).setUnknownFields(newer);
    operation = changed.get(5).getBlocksBuilder(0).getOpsBuilder(1);
    operation.getAttrsBuilder(0).setUnknownFields(newer);
    for (ProgramDesc.Builder each : changed) {
      Program with = Program.of(each.build());
      Program without = Program.of(plain);
      assertThat(validate(with, with).toString()).isEqualTo("valid");
      assertThat(validate(with, without).toString()).containsMatch("field|attribute 'k'");
      assertThat(validate(without, with).toString()).containsMatch("field|attribute 'k'");
    }
  }

  @Test
  void callStacksMayBeDropped() {
    accepts(CHAIN.replace("Out=b", "Out=b | op_callstack=[l1,l2]"), CHAIN);
    rejects(
        CHAIN.replace("Out=b", "Out=b | op_callstack=[l1,l2]"),
        CHAIN.replace("Out=b", "Out=b | op_callstack=[l1,l3]"),
        "attribute 'op_callstack' was changed");
  }

  @Test
  void namesInAttributesFollowTheRenaming() {
    String original =
        CHAIN
            .replace("Out=b", "Out=b | op_role_var=[a,b]")
            .replace("var c", "var d FP32[4]\nvar c");
    String renamed = original.replace("Out=b", "Out=d").replace("X=b", "X=d");
    accepts(original, renamed.replace("[a,b]", "[a,d]"));
    rejects(original, renamed, "attribute 'op_role_var' names the variable, but does not follow");
    String hidden =
        CHAIN.replace("Out=b", "Out=b | some_name=b").replace("var c", "var d FP32[4]\nvar c");
    rejects(
        hidden,
        hidden.replace("Out=b", "Out=d").replace("X=b", "X=d"),
        "attribute 'some_name' names the variable, but does not follow");
  }

  @Test
  void aCopyMayNotBeAddedBeforeItsInputIsWritten() {
    String chain = CHAIN.replace("var a", "var d FP32[4]\nvar a");
    String first = "op tanh X=x";
    accepts(chain, chain.replace("op tanh X=b", "op assign X=a -> Out=d\nop tanh X=b"));
    accepts(chain, chain.replace(first, "op assign X=x -> Out=d\n" + first));
    String early = chain.replace(first, "op assign X=a -> Out=d\n" + first);
    rejects(chain, early, "'a': is copied before it is written");
    accepts(early, early);
    String loop = LOOP.replace("var u", "var e FP32[4]\nvar u");
    String test = "op less_than X=s";
    accepts(loop, loop.replace(test, "op assign X=t -> Out=e\n" + test));
    String body = "op add X=s Y=d";
    rejects(
        loop,
        loop.replace(body, "op assign X=t -> Out=e\n" + body),
        "'t': is copied before it is written");
    String inner =
        """
        var fetch FETCH_LIST persistable
        var x FP32[4] feed
        var c BOOL[1]
        var s FP32[4]
        op fill_constant -> Out=c
        op tanh X=x -> Out=s
        op while X=s Condition=c -> Out=s,c | sub_block=@1
        op fetch X=s -> Out=fetch
        block 1
        var v FP32[4]
        op conditional_block Cond=c Input=s -> Out=s | sub_block=@2 is_scalar_condition=true
        op tanh X=s -> Out=v
        op less_than X=v Y=s -> Out=c
        block 2 parent 1
        var t FP32[4]
        var e FP32[4]
        op tanh X=s -> Out=t
        op tanh X=t -> Out=s
        """;
    String branch = "op tanh X=s -> Out=t";
    rejects(
        inner,
        inner.replace(branch, "op assign X=t -> Out=e\n" + branch),
        "'t': is copied before it is written");
    // The iteration before may have written it.
    accepts(inner, inner.replace(branch, "op assign X=v -> Out=e\n" + branch));
  }

  @Test
  void deletionsMayBeAddedAfterTheLastRead() {
    accepts(CHAIN, CHAIN.replace("op tanh X=b", "op delete_var X=a\nop tanh X=b"));
    rejects(
        CHAIN,
        CHAIN.replace("op tanh X=a", "op delete_var X=a\nop tanh X=a"),
        "variable 'a': is read, but 'a' may have been overwritten");
    rejects(
        CHAIN,
        CHAIN + "op delete_var X=c\n",
        "variable 'c': is observed, but may not hold its value at the end");
  }

  @Test
  void partialWritesKeepOnlyWhatWasRelated() {
    String original =
        CHAIN
            .replace(
                "op tanh X=b -> Out=c",
                "op tanh X=x -> Out=d\nop scatter_some X=b -> Out=d\nop tanh X=d -> Out=c")
            .replace("var c", "var d FP32[4]\nvar c");
    accepts(original, original.replace("Out=d", "Out=a").replace("X=d", "X=a"));
    rejects(
        original,
        original.replace("X=b -> Out=d", "X=b -> Out=a").replace("X=d", "X=a"),
        "variable 'd': is read from 'a', which may hold another value");
  }

  @Test
  void copiesTransferValuesOnEitherSide() {
    String original =
        CHAIN
            .replace("op tanh X=b -> Out=c", "op assign X=b -> Out=d\nop tanh X=d -> Out=c")
            .replace("var c", "var d FP32[4]\nvar c");
    String dropped = original.replace("op assign X=b -> Out=d\n", "").replace("X=d", "X=b");
    accepts(original, dropped);
    accepts(dropped, original);
    rejects(
        original,
        original.replace("op assign X=b -> Out=d\n", ""),
        "variable 'd': is read, but 'd' may have been overwritten");
    rejects(
        original,
        original.replace("assign X=b", "assign X=a"),
        "op 2 (assign), variable 'b': is read from 'a'");
  }

  /** The copies' results are never read, but runtimes refuse to copy a tensor without a value. */
  @Test
  void nothingIsCopiedBeforeItIsWritten() {
    String early = "op assign X=b -> Out=c\nop tanh X=a -> Out=b";
    accepts(CHAIN, CHAIN.replace("X=a -> Out=b", "X=a -> Out=b\nop assign X=b -> Out=c"));
    rejects(
        CHAIN,
        CHAIN.replace("op tanh X=a -> Out=b", early),
        "op 1 (assign), variable 'b': is copied before it is written");

    String inLoop = "op assign X=u -> Out=t\nop add X=s Y=d -> Out=t";
    accepts(LOOP, LOOP.replace("Out=u", "Out=u\nop assign X=u -> Out=t"));
    accepts(LOOP, LOOP.replace("op add", "op assign X=s -> Out=u\nop add"));
    rejects(
        LOOP,
        LOOP.replace("op add X=s Y=d -> Out=t", inLoop),
        "op 0 (assign), variable 'u': is copied before it is written");
    rejects(
        LOOP.replace("op tanh X=u", "op assign X=u -> Out=t\nop tanh X=u"),
        LOOP.replace("op add X=s Y=d -> Out=t", inLoop),
        "op 0 (assign), variable 'u': is copied before it is written");
    accepts(
        LOOP.replace("op add X=s Y=d -> Out=t", inLoop),
        LOOP.replace("op add X=s Y=d -> Out=t", inLoop));
  }

  @Test
  void aLoopKeepsWhatTheNextIterationReads() {
    String renamed = LOOP.replace("Out=u", "Out=t2").replace("X=u", "X=t2");
    accepts(
        LOOP.replace("var t", "var t2 FP32[4]\nvar t"),
        renamed.replace("var t", "var t2 FP32[4]\nvar t"));
    rejects(
        LOOP,
        LOOP.replace("Out=u", "Out=d").replace("X=u", "X=d"),
        "block 0, op 3 (while), variable 'd': is read, but 'd' may have been overwritten");
  }

  @Test
  void aValueFromBeforeALoopMayNotDieAcrossTheBackEdge() {
    String original = LOOP.replace("while X=s,d", "while X=s");
    rejects(
        original,
        original.replace("Out=u", "Out=d").replace("X=u", "X=d"),
        "block 1, op 0 (add), variable 'd': is read, but 'd' may have been overwritten");
  }

  @Test
  void localsOfALoopMayShareAndSoMayDeadOuterVariables() {
    String three =
        LOOP.replace("op tanh X=u -> Out=s", "op tanh X=u -> Out=v\nop tanh X=v -> Out=s")
            .replace("var u", "var v FP32[4]\nvar u");
    accepts(three, without(three, "v").replace("Out=v", "Out=t").replace("X=v", "X=t"));
    String outer = three.replace("X=s,d C", "X=s C").replace("Y=d", "Y=s");
    accepts(outer, without(outer, "v").replace("Out=v", "Out=d").replace("X=v", "X=d"));
  }

  @Test
  void aLoopCarryMayBeCoalesced() {
    String original =
        LOOP.replace("op tanh X=u -> Out=s", "op tanh X=u -> Out=v\nop assign X=v -> Out=s")
            .replace("var u", "var v FP32[4]\nvar u");
    String rewritten =
        without(original, "v").replace("op assign X=v -> Out=s\n", "").replace("Out=v", "Out=s");
    accepts(original, rewritten);
    rejects(
        original.replace("X=u -> Out=v", "X=u -> Out=v\nop add X=v Y=s -> Out=t"),
        rewritten.replace("X=u -> Out=s", "X=u -> Out=s\nop add X=s Y=s -> Out=t"),
        "variable 's': is read, but 's' may have been overwritten");
  }

  @Test
  void aLocalOfAnInferenceLoopCarriesItsValue() {
    String original =
        LOOP.replace("op add X=s Y=d -> Out=t", "op add X=s Y=k -> Out=t")
            .replace("op less_than X=s", "op tanh X=s -> Out=k\nop less_than X=s")
            .replace("var u", "var k FP32[4]\nvar u");
    accepts(original, original);
    rejects(
        original,
        original
            .replace("Out=u", "Out=k")
            .replace("X=u", "X=k")
            .replace("X=s -> Out=k\n", "X=s -> Out=u\n")
            .replace("Y=k", "Y=u")
            .replace("op tanh X=t", "op tanh X=x -> Out=u\nop tanh X=t"),
        "of type tanh here");
    rejects(
        original,
        without(original, "u")
            .replace(
                "X=t -> Out=u\nop tanh X=u -> Out=s\nop tanh X=s -> Out=k",
                "X=t -> Out=k\nop tanh X=k -> Out=s\nop tanh X=s -> Out=t")
            .replace("Y=k", "Y=k"),
        "variable 'k': is read, but 'k' may have been overwritten");
  }

  @Test
  void aSubBlockSeesTheRenamingToo() {
    String original = LOOP.replace("var d", "var e FP32[4]\nvar d");
    String outside = original.replace("X=x -> Out=d", "X=x -> Out=e").replace("X=s,d", "X=s,e");
    accepts(original, outside.replace("Y=d", "Y=e"));
    rejects(
        original,
        outside,
        "block 1, op 0 (add), variable 'd': is read, but 'd' may have been overwritten");
  }

  @Test
  void aConditionalBlockDoesNotKill() {
    String original =
        BRANCHES
            .replace("op logical_not", "op tanh X=t -> Out=f\nop logical_not")
            .replace(
                "op less_than",
                "op tanh X=x -> Out=t\nop tanh X=x -> Out=z\nop tanh X=z -> Out=y\nop less_than")
            .replace("var t", "var y FP32[4]\nvar z FP32[4]\nvar t");
    accepts(original, merge(original, "y", "f"));
    rejects(
        original,
        merge(original, "z", "t"),
        "op 5 (tanh), variable 't': is read, but 't' may have been overwritten");
  }

  @Test
  void controlOperatorsHaveNoInPlacePairs() {
    String original =
        BRANCHES
            .replace("Input=x", "Input=a")
            .replace("var t", "var a FP32[4]\nvar t")
            .replace("op less_than", "op tanh X=x -> Out=a\nop less_than")
            .replace("block 1\nop tanh X=x", "block 1\nop relu X=a")
            .replace("Cond=n Input=a", "Cond=n Input=x");
    rejects(
        original,
        original.replace("Out=t", "Out=a").replace("X=f,t", "X=f,a"),
        "op 2 (conditional_block), variable 't': is written over the input 'a'");
  }

  @Test
  void resultsOfExclusiveBranchesMayShare() {
    accepts(BRANCHES, merge(BRANCHES, "f", "t"));
    String inverted = BRANCHES.replace("cast X=c", "cast X=n").replace("X=f,t", "X=t,f");
    accepts(inverted, merge(inverted, "f", "t"));
    String inLoop =
        BRANCHES
            .replace("block 1", "block 2")
            .replace("block 2\nop tanh X=x -> Out=f", "block 3\nop tanh X=x -> Out=f")
            .replace("sub_block=@2", "sub_block=@3")
            .replace("sub_block=@1", "sub_block=@2")
            .replace(
                "op conditional_block Cond=c",
                "op while Condition=c | sub_block=@1\nop fetch X=o -> Out=fetch\nblock 1\nop conditional_block Cond=c")
            .replace(
                "Mask=m -> Out=o\nop fetch X=o -> Out=fetch",
                "Mask=m -> Out=o\nop less_than X=o Y=o -> Out=c")
            .replace("block 2\n", "block 2 parent 1\n")
            .replace("block 3\n", "block 3 parent 1\n");
    accepts(inLoop, merge(inLoop, "f", "t"));
  }

  @Test
  void withoutThePatternBothResultsStayApart() {
    String[][] breaks = {
      {"op logical_not X=c -> Out=n", "op less_than X=x Y=x -> Out=n"},
      {"op logical_not", "op less_than X=x Y=x -> Out=c\nop logical_not"},
      {"X=f,t Mask", "X=t,f Mask"},
      {"sub_block=@1 is_scalar_condition=true", "sub_block=@1"},
      {"block 1\nop tanh X=x -> Out=t", "block 1\nop add X=x Y=t -> Out=t"},
      {"op fetch X=o", "op tanh X=t -> Out=q\nop fetch X=o"},
    };
    for (String[] each : breaks) {
      String original = BRANCHES.replace(each[0], each[1]).replace("var t", "var q FP32[4]\nvar t");
      assertThat(original).contains(each[1]);
      assertThat(validate(original, original).toString()).isEqualTo("valid");
      assertThat(validate(original, merge(original, "f", "t")).isValid()).isFalse();
    }
    String swapped = BRANCHES.replace("X=f,t Mask", "X=t,f Mask");
    rejects(
        swapped,
        merge(swapped, "f", "t"),
        "op 5 (select_input), variable 't': is read, but 't' may have been overwritten");
  }

  @Test
  void localsThatTheGradientReadsLiveUntilTheEndOfTheIteration() {
    String dead =
        without(TRAINING, "w")
            .replace("Out=w", "Out=u2")
            .replace("X=w", "X=u2")
            .replace("Y=w", "Y=u2")
            .replace("var u", "var u2 FP32[4]\nvar u");
    accepts(TRAINING.replace("var u", "var u2 FP32[4]\nvar u"), dead);
    String original = TRAINING.replace("add X=w Y=t", "tanh X=w");
    rejects(
        original,
        without(original, "w")
            .replace("Out=w", "Out=t")
            .replace("X=w", "X=t")
            .replace("Y=w", "Y=t"),
        "block 2, op 0 (add), variable 't': is read, but 't' may have been overwritten");
    accepts(
        original.replace("X=t Y=s@GRAD", "X=s@GRAD Y=s@GRAD"),
        without(original, "w")
            .replace("Out=w", "Out=t")
            .replace("X=w", "X=t")
            .replace("Y=w", "Y=t")
            .replace("X=t Y=s@GRAD", "X=s@GRAD Y=s@GRAD"));
  }

  @Test
  void aKeptLocalMayNotMoveOutOfItsScope() {
    String original = TRAINING.replace("var c", "var z FP32[4]\nvar c");
    rejects(
        original,
        without(original, "t")
            .replace("Out=t", "Out=z")
            .replace("X=t", "X=z")
            .replace("Y=t", "Y=z"),
        "block 2, op 0 (add), variable 't': is read from 'z', which may hold another value");
  }

  @Test
  void derivedNamesArePinned() {
    rejects(
        TRAINING,
        TRAINING
            .replace("X=h -> Out=x@GRAD", "X=h -> Out=h2")
            .replace("var h", "var h2 FP32[4]\nvar h"),
        "does not declare the variable");
    String original = TRAINING.replace("var h", "var h2 FP32[4]\nvar h");
    rejects(
        original,
        original.replace("X=h -> Out=x@GRAD", "X=h -> Out=h2"),
        "variable 'x@GRAD': the variable must keep its name, but became 'h2'");
  }

  @Test
  void snapshotsStayAsTheyAre() {
    String original =
        TRAINING
            .replace("op tanh X=t -> Out=u", "op tanh X=x -> Out=v\nop tanh X=t -> Out=u")
            .replace("var c", "var v FP32[4]\nvar y FP32[4]\nvar c")
            .replace("X=s,x C", "X=s,x,y C")
            .replace("op fill_constant -> Out=c", "op fill_constant -> Out=c\nop tanh X=x -> Out=y")
            .replace("op less_than X=w", "op relu X=y -> Out=v\nop less_than X=w");
    accepts(original, original);
    rejects(
        original,
        original.replace("Out=v", "Out=y"),
        "op 3 (while): the renaming changes which inputs are copied in each iteration");
  }

  @Test
  void theNamesThatARecurrentLinksArePinned() {
    String original =
        """
        var fetch FETCH_LIST persistable
        var x FP32[4] feed
        var h0 FP32[4]
        var y FP32[4]
        var o FP32[4]
        op tanh X=x -> Out=h0
        op recurrent inputs=x initial_states=h0 -> outputs=y | sub_block=@1 ex_states=[p] states=[q]
        op tanh X=y -> Out=o
        op fetch X=o -> Out=fetch
        block 1
        var x FP32[4]
        var p FP32[4]
        var q FP32[4]
        var y FP32[4]
        var a FP32[4]
        var b FP32[4]
        op add X=x Y=p -> Out=a
        op tanh X=a -> Out=b
        op tanh X=b -> Out=q
        op tanh X=q -> Out=y
        """;
    String spare = original.replace("var b", "var e FP32[4]\nvar b");
    accepts(spare, merge(spare, "b", "e"));
    rejects(
        spare,
        spare.replace("Out=q", "Out=e").replace("X=q", "X=e"),
        "block 1, op 2 (tanh), variable 'q': the variable must keep its name");
  }

  @Test
  void aGradientsBranchSeesTheLocalsOfItsForwardBranch() {
    String original =
        """
        var fetch FETCH_LIST persistable
        var x FP32[4] feed
        var c BOOL[1]
        var o FP32[4]
        var o@GRAD FP32[4]
        var x@GRAD FP32[4]
        var scope STEP_SCOPES
        op less_than X=x Y=x -> Out=c
        op conditional_block Cond=c Input=x -> Out=o Scope=scope | sub_block=@1
        op fill_constant -> Out=o@GRAD
        op conditional_block_grad Cond=c Input=x Scope=scope -> Input@GRAD=x@GRAD | sub_block=@2
        op fetch X=x@GRAD -> Out=fetch
        block 1
        var t FP32[4]
        var u FP32[4]
        op tanh X=x -> Out=t
        op tanh X=t -> Out=u
        op tanh X=u -> Out=o
        block 2 forward 1
        var g FP32[4]
        var x@GRAD FP32[4]
        op add X=t Y=o@GRAD -> Out=g
        op tanh X=g -> Out=x@GRAD
        """;
    accepts(original, original);
    String deadInBranch =
        original
            .replace("X=u -> Out=o", "X=u -> Out=w\nop tanh X=w -> Out=o")
            .replace("var u", "var w FP32[4]\nvar u");
    rejects(
        deadInBranch,
        merge(deadInBranch, "w", "t"),
        "block 2, op 0 (add), variable 't': is read, but 't' may have been overwritten");
    String unread = deadInBranch.replace("X=t Y=o@GRAD", "X=x Y=o@GRAD");
    accepts(unread, merge(unread, "w", "t"));
  }

  @Test
  void whatAnOpaqueOperatorTouchesIsPinned() {
    String original =
        CHAIN
                .replace("op fetch", "op strange | block_of_mine=@1\nop fetch")
                .replace("var c", "var e FP32[4]\nvar c")
            + "block 1\nvar l FP32[4]\nop tanh X=b -> Out=l\n";
    accepts(original, original);
    rejects(
        original,
        original.replace("Out=b", "Out=e").replace("X=b", "X=e"),
        "variable 'b': the variable must keep its name, but became 'e'");
  }

  @Test
  void runtimeAliasesKeepTheirNamesToThemselves() {
    String original =
        CHAIN
            .replace("op tanh X=a -> Out=b", "op share_data X=a -> Out=b")
            .replace("var c", "var e FP32[4]\nvar c")
            .replace("op tanh X=b", "op tanh X=b -> Out=e\nop tanh X=e");
    accepts(original, original);
    rejects(
        original,
        original.replace("Out=e", "Out=a").replace("X=e", "X=a"),
        "variable 'e': became 'a', a name that may not be shared");
  }

  /** The loop lists it among its outputs, but its body leaves it as it is: it must stay so. */
  @Test
  void anOutputThatALoopsBodyLeavesAlone_isNotOverwritten() {
    String original =
        """
        var fetch FETCH_LIST persistable
        var x FP32[4] feed
        var c BOOL[1]
        var g FP32[4]
        var h FP32[4]
        op fill_constant -> Out=c
        op tanh X=x -> Out=g
        op tanh X=x -> Out=h
        op while X=g,h Condition=c -> Out=g,h,c | sub_block=@1
        op fetch X=g -> Out=fetch
        op fetch X=h -> Out=fetch
        block 1
        var y FP32[4]
        op relu X=g -> Out=y
        op tanh X=y -> Out=h
        op less_than X=h Y=h -> Out=c
        """;
    rejects(
        original,
        merge(original, "y", "g"),
        "variable 'g': is read, but 'g' may have been overwritten with another value");
  }

  /** Gives one variable the name of another, everywhere. */
  private static String merge(String text, String variable, String into) {
    return without(text, variable).replaceAll("(?<=[=,\\[])" + variable + "(?=[,\\s\\]])", into);
  }

  private static String without(String text, String variable) {
    return text.replaceAll("var " + variable + " .*\n", "");
  }

  private static void accepts(String original, String rewritten) {
    assertThat(original).isNotNull();
    assertThat(validate(original, rewritten).toString()).isEqualTo("valid");
  }

  private static void rejects(String original, String rewritten, String gist) {
    assertThat(validate(original, original).toString()).isEqualTo("valid");
    assertThat(validate(original, rewritten).toString()).contains(gist);
  }

  private static ValidationResult validate(String original, String rewritten) {
    return validate(original, rewritten, ProofOptions.defaults());
  }

  private static ValidationResult validate(
      String original, String rewritten, ProofOptions options) {
    return validate(ProgramNotation.parse(original), ProgramNotation.parse(rewritten), options);
  }

  private static ValidationResult validate(Program original, Program rewritten) {
    return validate(original, rewritten, ProofOptions.defaults());
  }

  private static ValidationResult validate(
      Program original, Program rewritten, ProofOptions options) {
    OperatorCatalog catalog = ProgramNotation.catalog();
    return RewriteValidator.validate(
        original,
        rewritten,
        catalog,
        InferredSizes.of(original),
        MemorySpaces.find(original, catalog, MemorySpaces.Target.CPU),
        options);
  }
}
