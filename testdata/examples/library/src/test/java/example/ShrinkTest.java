package example;

import dev.sublet.TranspileResult;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ShrinkTest {
  @Test
  void programsAndPlans_areTheExpectedOnes() {
    for (GoldenCase golden : GoldenPrograms.in(Path.of("src/test/goldens")).cases()) {
      TranspileResult result = Shrink.shrink(golden.program());
      golden
          .expect()
          .program("out.textproto", result.program())
          .plan("plan.json", result.plan())
          .nothingElse()
          .check();
    }
  }
}
