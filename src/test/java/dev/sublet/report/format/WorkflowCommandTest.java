package dev.sublet.report.format;

import static com.google.common.truth.Truth.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WorkflowCommandTest {

  @Test
  void whatWouldEndAPropertyOrTheMessage_isEscaped() {
    assertThat(WorkflowCommand.error("a:b,c%\n.pb", "x: y, z", List.of("5 %, a::b", "c")))
        .isEqualTo("::error file=a%3Ab%2Cc%25%0A.pb,title=x%3A y%2C z::5 %25, a::b%0Ac\n");
  }

  @Test
  void invisibleCharacters_areShown_andNameNoOtherCommand() {
    assertThat(WorkflowCommand.error("", "t", List.of("a\r::stop\u001B")))
        .isEqualTo("::error title=t::a\\x0D::stop\\x1B\n");
  }
}
