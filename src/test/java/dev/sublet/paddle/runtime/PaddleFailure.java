package dev.sublet.paddle.runtime;

/** A model that does not run: the process crashed, refused the program or took too long. */
public final class PaddleFailure extends RuntimeException {

  private static final long serialVersionUID = 1;

  private static final int TAIL = 3000;

  private final String log;

  PaddleFailure(String model, String what, String log) {
    super(model + " " + what + "\n" + tail(log));
    this.log = log;
  }

  private static String tail(String log) {
    return log.length() <= TAIL ? log : "…" + log.substring(log.length() - TAIL);
  }

  /** Whether the runtime says that an operator of this type failed. */
  public boolean names(String operatorType) {
    return log.contains("[operator < " + operatorType + " > error]")
        || log.contains(" " + operatorType + " raises an exception");
  }

  /** What the runtime complains of, in one line. */
  public String reason() {
    String[] lines = log.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].trim();
      if (line.contains("Error: ")
          || line.contains("Exception: ")
          || line.contains(" raises an exception ")) {
        return line;
      }
    }
    String message = getMessage();
    return message == null ? "" : message.lines().findFirst().orElse("");
  }
}
