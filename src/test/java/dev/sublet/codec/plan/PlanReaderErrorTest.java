package dev.sublet.codec.plan;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sublet.diag.ProgramException;
import dev.sublet.testing.UnusualProgram;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said about plans that contradict themselves: one line each. */
class PlanReaderErrorTest {

  private static final String ARENA =
      "point_numbering: 1 arenas { place: 'cpu' bytes: 8 lower_bound: 4 alignment: 1 }\n";

  private static final String VIEWS =
      ARENA + "allocations { variable: 'x' bytes: 4 live { begin: 1 end: 2 } views { ";

  static Stream<Arguments> plans() {
    return Stream.of(
        arguments("", "p: the file is empty"),
        arguments("batch: 1", "p: point_numbering is 0; this version knows only 1"),
        arguments("point_numbering: 2", "p: point_numbering is 2; this version knows only 1"),
        arguments("steps: 1", "p: not a MemoryPlan: 1:1: MemoryPlan has no field 'steps'"),
        arguments(
            "block_idx,variable,arena,offset,bytes,begin,end\n0,x,0,0,4,0,2\n",
            "p: a plan in CSV cannot be read back; use .pb, .textproto or .json"),
        arguments("point_numbering: 1 arenas { bytes: -1 }", "p: arenas[0]: bytes is -1"),
        arguments(
            "point_numbering: 1 arenas { lower_bound: -1 }", "p: arenas[0]: lower_bound is -1"),
        arguments("point_numbering: 1 arenas { }", "p: arenas[0]: alignment is 0"),
        arguments(
            "point_numbering: 1 arenas { bytes: 8 alignment: 1 proved_optimal: true }",
            "p: arenas[0]: proved_optimal is true, but bytes is 8 and lower_bound 0"),
        arguments(
            "point_numbering: 1 arenas { alignment: 1 pool: 's' capacity: -1 }",
            "p: arenas[0]: capacity is -1"),
        arguments(
            "point_numbering: 1 arenas { alignment: 1 pool: 's' traffic: -1 }",
            "p: arenas[0]: traffic is -1"),
        arguments(
            "point_numbering: 1 arenas { alignment: 1 capacity: 8 }",
            "p: arenas[0]: capacity is 8, but there is no pool"),
        arguments(
            "point_numbering: 1 arenas { alignment: 1 traffic: 8 }",
            "p: arenas[0]: traffic is 8, but there is no pool"),
        arguments("point_numbering: 1 feeds { }", "p: feeds[0] has no name"),
        arguments(
            "point_numbering: 1 feeds { name: 'x' } feeds { name: 'x' }",
            "p: feeds[1] ('x'): there is another one of the name"),
        arguments(
            "point_numbering: 1 feeds { name: 'x' shape { extents: [2, 0] } }",
            "p: feeds[0] ('x'): an extent is 0"),
        arguments(
            "point_numbering: 1 feeds { name: 'x' levels { offsets: [0, 3, 2] } }",
            "p: feeds[0] ('x'): the offsets of a level do not ascend from 0: [0, 3, 2]"),
        arguments(
            ARENA + "allocations { variable: 'x' arena: 1 }",
            "p: allocations[0] ('x'): arena is 1, but the plan has 1"),
        arguments(
            ARENA + "allocations { variable: 'x' arena: -1 }",
            "p: allocations[0] ('x'): arena is -1, but the plan has 1"),
        arguments(
            ARENA + "allocations { variable: 'x' offset: -4 }",
            "p: allocations[0] ('x'): offset is -4"),
        arguments(
            ARENA + "allocations { variable: 'x' bytes: -4 }",
            "p: allocations[0] ('x'): bytes is -4"),
        arguments(
            ARENA + "allocations { variable: 'x' offset: 9223372036854775807 bytes: 1 }",
            "p: allocations[0] ('x'): offset and bytes exceed 63 bits"),
        arguments(
            ARENA + "allocations { variable: 'x' live { begin: 5 end: 5 } }",
            "p: allocations[0] ('x'): live[0] is empty: begin 5, end 5"),
        arguments(
            ARENA
                + "allocations { variable: 'x' live { begin: 1 end: 5 } live { begin: 4 end: 6 } }",
            "p: allocations[0] ('x'): live[1] begins at 4, before the one before it ends at 5"),
        arguments(
            ARENA + "allocations { variable: 'x' block_idx: -1 }",
            "p: allocations[0]: the variable 'x' is in block -1"),
        arguments(ARENA + "allocations { }", "p: allocations[0]: a variable has no name"),
        arguments(ARENA + "unplanned { }", "p: unplanned: a variable has no name"),
        arguments(
            ARENA + "aliases { variable: 'x' of_variable: 'y' of_block_idx: -2 }",
            "p: aliases: the variable 'y' is in block -2"),
        arguments(
            ARENA + "unplanned { variable: 'a\\\\x7F' }",
            "p: the name 'a\\x7F' is malformed: a backslash is written \\\\, a byte \\x80 to"
                + " \\xFF"),
        arguments(
            ARENA + "unplanned { variable: 'a\\\\x8' }",
            "p: the name 'a\\x8' is malformed: a backslash is written \\\\, a byte \\x80 to \\xFF"),
        arguments(
            ARENA + "unplanned { variable: '\\\\x80\u00e9' }",
            "p: the name '\\x80\u00e9' is malformed: a backslash is written \\\\, a byte \\x80 to"
                + " \\xFF"),
        arguments(
            VIEWS + "first { offset: 0 } } }",
            "p: allocations[0] ('x'): a first view, but no others"),
        arguments(
            VIEWS + "block_idx: 1 } }",
            "p: allocations[0] ('x'): block_idx is 1 in a view, but there are no views by its"
                + " iterations"),
        arguments(
            VIEWS + "offset: 4 } }",
            "p: allocations[0] ('x'): offset is 0, but its views begin elsewhere"),
        arguments(
            VIEWS + "block_idx: 1 views { offset: 4 } views { } } }",
            "p: allocations[0] ('x'): offset is 0, but its views begin elsewhere"),
        arguments(
            VIEWS + "block_idx: 1 first { offset: 4 } views { } } }",
            "p: allocations[0] ('x'): offset is 0, but its views begin elsewhere"),
        arguments(VIEWS + "views { } } }", "p: allocations[0] ('x'): views by block 0"),
        arguments(
            VIEWS + "block_idx: -1 views { } } }", "p: allocations[0] ('x'): views by block -1"),
        arguments(
            VIEWS + "block_idx: 1 offset: 4 views { } } }",
            "p: allocations[0] ('x'): offset is 4 in a view, but there are views by iterations"),
        arguments(
            VIEWS + "block_idx: 1 views { } views { offset: -4 } } }",
            "p: allocations[0] ('x'): a view's offset is -4"),
        arguments(
            VIEWS + "block_idx: 1 views { } views { offset: 9223372036854775804 } } }",
            "p: allocations[0] ('x'): a view's offset is 9223372036854775804"),
        arguments(
            VIEWS + "block_idx: 1 " + "views { block_idx: 1 ".repeat(64) + "} ".repeat(66),
            "p: allocations[0] ('x'): views nest more than 64 deep"),
        arguments(
            ARENA + "copies { block_idx: -1 from: 'x' to: 'y' }",
            "p: copies: there is no operator 0 in a block -1"),
        arguments(
            ARENA + "copies { op_index: -2 from: 'x' to: 'y' }",
            "p: copies: there is no operator -2 in a block 0"),
        arguments(ARENA + "copies { from: 'x' }", "p: copies: a variable has no name"),
        arguments(
            ARENA + "copies { from: 'x' from_block_idx: -3 to: 'y' }",
            "p: copies: the variable 'x' is in block -3"),
        arguments(ARENA + "copies { from: 'x' to: 'y' bytes: -1 }", "p: copies: bytes is -1"),
        arguments(
            "{\"point_numbering\": 1, \"arenas\": [{\"bytes\": \"many\"}]}",
            "p: 1:51: 'bytes' is not a 64-bit integer: many, in $.arenas[0].bytes"));
  }

  private static ProgramException failure(byte[] bytes) {
    return assertThrows(ProgramException.class, () -> PlanReader.parse(bytes, "p"));
  }

  @ParameterizedTest
  @MethodSource("plans")
  void plan(String text, String message) {
    ProgramException e = failure(text.getBytes(UTF_8));
    assertThat(e).hasMessageThat().isEqualTo(message);
    assertThat(e.exitCode()).isEqualTo(3);
  }

  @Test
  void aProgramIsNoPlan() {
    assertThat(failure(UnusualProgram.plain().build().toByteArray()))
        .hasMessageThat()
        .isEqualTo("p: not a MemoryPlan, or one of a newer version: it holds unknown fields");
  }
}
