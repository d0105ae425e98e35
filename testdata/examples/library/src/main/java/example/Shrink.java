package example;

import dev.sublet.*;
import dev.sublet.codec.plan.*;
import dev.sublet.codec.program.*;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.program.Program;
import java.io.IOException;
import java.nio.file.*;

public final class Shrink {
  public static void main(String[] args) throws IOException {
    TranspileResult result = shrink(ProgramReader.read(Path.of(args[0])));
    byte[] program =
        ProgramWriter.toBytes(result.program(), ProgramFormat.BINARY, new DiagnosticLog());
    Files.write(Path.of(args[1]), program);
    Files.write(Path.of(args[2]), PlanWriter.toBytes(result.plan(), PlanFormat.JSON));
    System.out.println(result.plan().arenaBytes() + " instead of " + result.bytesBefore());
  }

  static TranspileResult shrink(Program program) {
    return Transpiler.transpile(program, TranspileOptions.defaults());
  }
}
