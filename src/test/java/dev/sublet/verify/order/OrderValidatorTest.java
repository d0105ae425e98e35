package dev.sublet.verify.order;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.text.ProgramText;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.ProofOptions;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Programs, orders of their operators, and what the validator says about each order. */
final class OrderValidatorTest {

  private static final OperatorCatalog CATALOG = OperatorCatalog.standard();

  /** What the validator says about a rewritten program. */
  private static String verdict(Program original, Program rewritten) {
    ProgramGraph graph =
        ProgramGraph.of(
            original,
            CATALOG,
            InferredSizes.of(original),
            ProofOptions.defaults(),
            ImmutableSet.of());
    Optional<OrderValidator.Order> order = OrderValidator.validate(graph, rewritten, CATALOG);
    return order.map(each -> each.result().toString().strip()).orElse("not moved");
  }

  /** What the validator says about a program whose operators are put in another order. */
  private static String verdict(String text, int... order) {
    return verdictInside(0, text, order);
  }

  /** What it says about another order of the operators of one block. */
  private static String verdictInside(int block, String text, int... order) {
    Program program = ProgramText.parse("version 2003002\ndefault fp32[4]\n" + text);
    ImmutableMap<Integer, ImmutableIntArray> orders =
        ImmutableMap.of(block, ImmutableIntArray.copyOf(order));
    return verdict(program, ProgramEditor.of(program).reorder(orders).build());
  }

  @Test
  void operatorsWithoutACommonVariable_mayMove() {
    assertThat(verdict("block 0\n var x: fp32[4]\n a = relu(x)\n b = tanh(x)", 1, 0))
        .isEqualTo("valid");
    assertThat(verdict("block 0\n var x: fp32[4]\n a = relu(x)\n b = tanh(x)", 0, 1))
        .isEqualTo("not moved");
  }

  @Test
  void aReader_staysAfterTheWriter() {
    assertThat(verdict("block 0\n var x: fp32[4]\n a = relu(x)\n b = tanh(a)", 1, 0))
        .isEqualTo(
            "block 0, op 1 (tanh), variable 'a': runs before op 0 (relu) in the rewritten program,"
                + " but reads the value that it writes");
  }

  @Test
  void aWriter_staysAfterTheReaders() {
    String text = "block 0\n var x: fp32[4]\n a = relu(x)\n b = tanh(a)\n a = exp(x)";
    assertThat(verdict(text, 0, 2, 1))
        .isEqualTo(
            "block 0, op 2 (exp), variable 'a': runs before op 1 (tanh) in the rewritten program,"
                + " but overwrites the value that it reads");
  }

  @Test
  void twoWriters_keepTheirOrder() {
    assertThat(verdict("block 0\n var x: fp32[4]\n a = relu(x)\n a = exp(x)", 1, 0))
        .isEqualTo(
            "block 0, op 1 (exp), variable 'a': runs before op 0 (relu) in the rewritten program,"
                + " but writes the variable later");
  }

  @Test
  void variablesThatShareABuffer_countAsOne() {
    String text = "block 0\n var x: fp32[4]\n a = relu(x)\n b = share_data(a)\n c = tanh(b)\n ";
    assertThat(verdict(text + "a = exp(x)", 0, 1, 3, 2)).contains("op 3 (exp), variable 'a'");
    assertThat(verdict(text + "d = exp(x)", 0, 1, 3, 2)).isEqualTo("valid");
  }

  @Test
  void randomOperators_keepTheirOrder() {
    String text =
        "block 0\n var x: fp32[4]\n a = uniform_random() {shape: [4]}\n"
            + " b = gaussian_random() {shape: [4]}\n c = relu(x)";
    assertThat(verdict(text, 1, 0, 2))
        .isEqualTo(
            "block 0, op 1 (gaussian_random): runs before op 0 (uniform_random) in the rewritten"
                + " program, but both use more than their arguments");
    assertThat(verdict(text, 2, 0, 1)).isEqualTo("valid");
  }

  @Test
  void dropout_isRandomInTraining() {
    String text =
        "block 0\n var x: fp32[4]\n a = dropout(x) {is_test: %s}\n"
            + " b = uniform_random() {shape: [4]}";
    assertThat(verdict(text.formatted("false"), 1, 0)).contains("both use more than");
    assertThat(verdict(text.formatted("true"), 1, 0)).isEqualTo("valid");
  }

  @Test
  void whatAnAttributeCallsASeed_isRandom() {
    String text =
        "block 0\n var x: fp32[4]\n a = relu(x) {my_seed: 1}\n b = uniform_random() {shape: [4]}";
    assertThat(verdict(text, 1, 0)).contains("both use more than their arguments");
  }

  @Test
  void nothingMovesPastAnUnknownOperator() {
    String text =
        "block 0\n var x: fp32[4]\n a = relu(x)\n b = my_operator(x)\n c = tanh(x)\n d = exp(x)";
    assertThat(verdict(text, 1, 0, 2, 3))
        .isEqualTo(
            "block 0, op 1 (my_operator): runs before op 0 (relu) in the rewritten program, but may"
                + " not be moved past it");
    assertThat(verdict(text, 0, 2, 1, 3)).contains("op 2 (tanh): runs before op 1 (my_operator)");
    assertThat(verdict(text, 0, 1, 3, 2)).isEqualTo("valid");
  }

  @Test
  void feedsAndFetches_stay() {
    String text = "block 0\n feed x: fp32[4]\n a = fill_constant()\n fetch(x)\n b = relu(x)";
    assertThat(verdict(text, 1, 0, 2, 3)).contains("op 1 (fill_constant): runs before op 0 (feed)");
    assertThat(verdict(text, 0, 1, 3, 2)).contains("op 3 (relu): runs before op 2 (fetch)");
  }

  @Test
  void aDeletion_staysAfterTheReaders() {
    String text =
        "block 0\n var x: fp32[4]\n a = relu(x)\n b = tanh(a)\n delete_var(a)\n a = exp(x)";
    // The deletion has no counterpart: it is put where the dependences allow it.
    assertThat(verdict(text, 2, 0, 1, 3)).isEqualTo("not moved");
    assertThat(verdict(text, 0, 3, 1, 2)).contains("variable 'a': runs before op 1 (tanh)");
  }

  /** The wait names the last gradient only, and yet holds for all. */
  @Test
  void noOperator_movesPastAWait() {
    String text =
        """
        block 0
          var x: fp32[4]
          a = relu(x)
          b = exp(x)
          c_sync_comm_stream(X: b) -> (Out: b)
          s = tanh(a)
          t = tanh(b)
        """;
    assertThat(verdict(text, 0, 3, 1, 2, 4)).contains("op 2 (c_sync_comm_stream)");
  }

  @Test
  void aLoop_countsWithAllThatItsBlockUses() {
    String text =
        """
        block 0
          var x: fp32[4]
          var c: bool[1]
          c = fill_constant()
          s = relu(x)
          u = exp(x)
          while(Condition: c, X: s) -> (Out: s c, StepScopes: z) {sub_block: 1, is_test: true}
          t = tanh(s)
        block 1 parent 0
          s = elementwise_add(s, u)
          c = my_condition(s)
        """;
    String known = text.replace("my_condition(s)", "less_than(s, s)");
    assertThat(verdict(known, 2, 1, 0, 3, 4)).isEqualTo("valid");
    assertThat(verdict(known, 0, 1, 3, 2, 4))
        .contains("op 3 (while), variable 'u': runs before op 2 (exp)");
    assertThat(verdict(known, 0, 1, 2, 4, 3)).contains("op 4 (tanh), variable 's': runs before");
    // An operator inside that is not known makes a barrier of the loop.
    String free = text.replace("t = tanh(s)", "t = tanh(x)");
    assertThat(verdict(free, 0, 1, 2, 4, 3)).contains("op 4 (tanh): runs before op 3 (while)");
    assertThat(verdict(free.replace("my_condition(s)", "less_than(s, s)"), 0, 1, 2, 4, 3))
        .isEqualTo("valid");
  }

  private static final String LOOP =
      """
      block 0
        var x: fp32[4]
        var c: bool[1]
        c = fill_constant()
        s = relu(x)
        while(Condition: c, X: s x) -> (Out: s c, StepScopes: z) {sub_block: 1, is_test: true}
        t = tanh(s)
      block 1 parent 0
        u = tanh(s)
        v = exp(x)
        s = elementwise_add(u, v)
        c = less_than(x, v)
      """;

  @Test
  void operatorsOfALoop_mayMoveInItsBody() {
    assertThat(verdictInside(1, LOOP, 1, 0, 2, 3)).isEqualTo("valid");
    assertThat(verdictInside(1, LOOP, 1, 3, 0, 2)).isEqualTo("valid");
    assertThat(verdictInside(1, LOOP, 1, 2, 0, 3))
        .isEqualTo(
            "block 1, op 2 (elementwise_add), variable 'u': runs before op 0 (tanh) in the rewritten"
                + " program, but reads the value that it writes\n"
                + "block 1, op 2 (elementwise_add), variable 's': runs before op 0 (tanh) in the"
                + " rewritten program, but overwrites the value that it reads");
  }

  @Test
  void operatorsOfARecurrentNetwork_keepTheirOrder() {
    String text =
        """
        block 0
          var x: fp32[4]
          var h: fp32[4]
          %s
        block 1 parent 0
          u = tanh(x)
          v = exp(x)
        """;
    String recurrent =
        text.formatted(
            "recurrent(inputs: x, initial_states: h) -> (outputs: y, step_scopes: z)"
                + " {sub_block: 1, states: \"u\", ex_states: \"v\"}");
    assertThat(verdictInside(1, recurrent, 1, 0)).isEqualTo("not moved");
    String branch =
        text.formatted(
            "conditional_block(Cond: x, Input: x) -> (Out: y, Scope: z)"
                + " {sub_block: 1, is_scalar_condition: true}");
    assertThat(verdictInside(1, branch, 1, 0)).isEqualTo("valid");
  }

  @Test
  void randomOperatorsInABranch_keepTheirOrder() {
    String text =
        """
        block 0
          var x: fp32[4]
          conditional_block(Cond: x, Input: x) -> (Out: y, Scope: z) {sub_block: 1}
        block 1 parent 0
          a = uniform_random() {shape: [4]}
          b = gaussian_random() {shape: [4]}
          y = exp(x)
        """;
    assertThat(verdictInside(1, text, 1, 0, 2)).contains("both use more than their arguments");
    assertThat(verdictInside(1, text, 2, 0, 1)).isEqualTo("valid");
  }

  @Test
  void arrays_keepTheOrderOfWritesAndReads() {
    String text =
        """
        block 0
          var x: fp32[4]
          var i: int64[1]
          var a: array fp32[4]
          a = write_to_array(x) {name: 1}
          b = read_from_array(a, i)
          a = write_to_array(x) {name: 2}
          c = relu(x)
        """;
    assertThat(verdict(text, 0, 2, 1, 3)).contains("op 2 (write_to_array), variable 'a'");
    assertThat(verdict(text, 2, 0, 1, 3)).contains("variable 'a'");
    assertThat(verdict(text, 3, 0, 1, 2)).isEqualTo("valid");
  }

  /** Operators that read the same values are told apart by their place alone. */
  @Test
  void lookAlikes_correspondInOrder() {
    String text = "block 0\n var x: fp32[4]\n a = relu(x)\n b = relu(x)\n c = tanh(a)\n d = exp(b)";
    Program program = ProgramText.parse("default fp32[4]\n" + text);
    assertThat(OrderValidator.lookAlikes(program, CATALOG).get(0))
        .isEqualTo(ImmutableIntArray.of(-1, 0, -1, -1));
    assertThat(verdict(text, 0, 2, 1, 3)).isEqualTo("valid");
    // Read as: a in the place of b. So exp reads what is not written yet.
    assertThat(verdict(text, 1, 3, 0, 2)).contains("op 3 (exp), variable 'b': runs before op 1");
  }

  @Test
  void operatorsOfOtherNames_correspondByWhatTheyRead() {
    Program original =
        ProgramText.parse(
            "default fp32[4]\nblock 0\n feed x\n a = relu(x)\n b = tanh(x)\n c = relu(a)\n"
                + " d = relu(b)\n e = sum(c d)\n fetch(e)");
    Program rewritten =
        ProgramText.parse(
            "default fp32[4]\nblock 0\n feed x\n b = tanh(x)\n b = relu(b)\n a = relu(x)\n"
                + " a = relu(a)\n a = sum(a b)\n fetch(a)");
    assertThat(verdict(original, rewritten)).isEqualTo("valid");
  }

  @Test
  void addedAndRemovedOperators_areNotMoved() {
    Program original = ProgramText.parse("block 0\n var x: fp32[1]\n a = relu(x)\n b = tanh(x)");
    Program fewer = ProgramText.parse("block 0\n var x: fp32[1]\n b = tanh(x)");
    assertThat(verdict(original, fewer)).isEqualTo("not moved");
    assertThat(verdict(fewer, original)).isEqualTo("not moved");
  }
}
