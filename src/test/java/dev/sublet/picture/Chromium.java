package dev.sublet.picture;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One tab of a headless Chromium, spoken to in the Chrome DevTools Protocol over a WebSocket.
 * Whatever the page says to its console as an error, throws, or asks the network for is kept.
 */
final class Chromium implements AutoCloseable {

  private static final ImmutableList<String> CANDIDATES =
      ImmutableList.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  private static final int SECONDS = 60;

  private final Process process;
  private final WebSocket socket;
  private final String session;
  private final AtomicInteger lastId = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonObject>> answers = new ConcurrentHashMap<>();
  private final List<String> complaints = new ArrayList<>();
  private final List<String> requests = new ArrayList<>();
  private boolean scripts = true;
  private CompletableFuture<Void> loaded = new CompletableFuture<>();

  /** Where a Chromium is installed. */
  static Optional<Path> installed() {
    for (String path : CANDIDATES) {
      if (Files.isExecutable(Path.of(path))) {
        return Optional.of(Path.of(path));
      }
    }
    return Optional.empty();
  }

  /**
   * Starts one.
   *
   * @param profile an empty folder for what it writes
   */
  Chromium(Path binary, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                binary.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--no-first-run",
                "--disable-extensions",
                "--disable-background-networking",
                "--force-color-profile=srgb",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("log").toFile())
            .start();
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(endpoint(profile.resolve("DevToolsActivePort")), new Listener())
            .get(SECONDS, TimeUnit.SECONDS);
    String target =
        call("Target.createTarget", "{\"url\":\"about:blank\"}", null)
            .get("targetId")
            .getAsString();
    session =
        call("Target.attachToTarget", "{\"targetId\":\"" + target + "\",\"flatten\":true}", null)
            .get("sessionId")
            .getAsString();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", "{}");
    }
    call("Performance.enable", "{\"timeDomain\":\"threadTicks\"}");
  }

  /** The browser writes its port and path into a file once it listens. */
  private URI endpoint(Path file) throws Exception {
    for (int i = 0; i < SECONDS * 10; i++) {
      if (Files.exists(file)) {
        List<String> lines = Files.readAllLines(file);
        if (lines.size() >= 2) {
          return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
        }
      }
      Preconditions.checkState(process.isAlive(), "Chromium has ended with %s", process);
      Thread.sleep(100);
    }
    throw new IOException("Chromium does not listen");
  }

  /** Opens a file in a window of that size, and waits until it is loaded. */
  void open(Path page, int width, int height) throws Exception {
    synchronized (complaints) {
      complaints.clear();
      requests.clear();
    }
    call(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}"
            .formatted(width, height));
    loaded = new CompletableFuture<>();
    call("Page.navigate", "{\"url\":\"" + page.toUri() + "\"}");
    loaded.get(SECONDS, TimeUnit.SECONDS);
    if (scripts) {
      settle();
    }
  }

  /**
   * Milliseconds of CPU time of the page's main thread: {@code ThreadTime} for all since it began,
   * {@code ScriptDuration} for its scripts since the page was opened.
   */
  double cpuMillis(String metric) throws Exception {
    for (JsonElement entry : call("Performance.getMetrics", "{}").getAsJsonArray("metrics")) {
      if (entry.getAsJsonObject().get("name").getAsString().equals(metric)) {
        return 1000 * entry.getAsJsonObject().get("value").getAsDouble();
      }
    }
    throw new IllegalStateException("Chromium does not measure " + metric);
  }

  /** Waits until what is due is drawn. */
  void settle() throws Exception {
    evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(0))))");
  }

  /** The value of an expression of the page; promises are waited for. */
  JsonElement evaluate(String expression) throws Exception {
    JsonObject parameters = new JsonObject();
    parameters.addProperty("expression", expression);
    parameters.addProperty("awaitPromise", true);
    parameters.addProperty("returnByValue", true);
    JsonObject answer = call("Runtime.evaluate", parameters.toString());
    if (answer.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + answer.get("exceptionDetails"));
    }
    JsonElement value = answer.getAsJsonObject("result").get("value");
    return value == null ? new JsonObject() : value;
  }

  /** The text of an expression's value. */
  String text(String expression) throws Exception {
    return evaluate(expression).getAsString();
  }

  /** A real event of the mouse, at a place of the window. */
  void mouse(String type, double x, double y) throws Exception {
    call(
        "Input.dispatchMouseEvent",
        "{\"type\":\"%s\",\"x\":%s,\"y\":%s,\"button\":\"%s\",\"buttons\":%d,\"clickCount\":%d}"
            .formatted(
                type,
                x,
                y,
                type.equals("mouseMoved") ? "none" : "left",
                type.equals("mousePressed") ? 1 : 0,
                type.equals("mouseMoved") ? 0 : 1));
    settle();
  }

  /** Moves there and clicks. */
  void click(double x, double y) throws Exception {
    mouse("mouseMoved", x, y);
    mouse("mousePressed", x, y);
    mouse("mouseReleased", x, y);
  }

  /** Turns the wheel; less than 0 is away from oneself. */
  void wheel(double x, double y, double delta) throws Exception {
    call(
        "Input.dispatchMouseEvent",
        "{\"type\":\"mouseWheel\",\"x\":%s,\"y\":%s,\"deltaX\":0,\"deltaY\":%s}"
            .formatted(x, y, delta));
    settle();
  }

  /** Presses keys, each a character or a name such as {@code Escape}. */
  void keys(String... keys) throws Exception {
    for (String key : keys) {
      JsonObject event = new JsonObject();
      event.addProperty("type", "keyDown");
      event.addProperty("key", key);
      if (key.codePointCount(0, key.length()) == 1) {
        event.addProperty("text", key);
      } else if (key.equals("Enter")) {
        event.addProperty("text", "\r");
      }
      call("Input.dispatchKeyEvent", event.toString());
      event.addProperty("type", "keyUp");
      event.remove("text");
      call("Input.dispatchKeyEvent", event.toString());
    }
    settle();
  }

  /** Emulates a medium ({@code screen} or {@code print}) and a color scheme. */
  void media(String medium, String scheme) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        "{\"media\":\"%s\",\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}"
            .formatted(medium, scheme));
    settle();
  }

  /** Lets scripts of the pages opened from now on run or not. */
  void scripts(boolean run) throws Exception {
    scripts = run;
    call("Emulation.setScriptExecutionDisabled", "{\"value\":" + !run + "}");
  }

  /** What is on the screen, as a PNG. */
  byte[] screenshot() throws Exception {
    String data = call("Page.captureScreenshot", "{\"format\":\"png\"}").get("data").getAsString();
    return Base64.getDecoder().decode(data);
  }

  /** The page on paper, as a PDF. */
  byte[] pdf() throws Exception {
    String data = call("Page.printToPDF", "{\"printBackground\":true}").get("data").getAsString();
    return Base64.getDecoder().decode(data);
  }

  /** What went wrong in the page since it was opened. */
  List<String> complaints() {
    synchronized (complaints) {
      return List.copyOf(complaints);
    }
  }

  /** What the page asked for since it was opened, itself included. */
  List<String> requests() {
    synchronized (complaints) {
      return List.copyOf(requests);
    }
  }

  /** A command of the protocol for the tab. */
  JsonObject call(String method, String parameters) throws Exception {
    return call(method, parameters, session);
  }

  private JsonObject call(String method, String parameters, @Nullable String to) throws Exception {
    int id = lastId.incrementAndGet();
    JsonObject message = new JsonObject();
    message.addProperty("id", id);
    message.addProperty("method", method);
    message.add("params", JsonParser.parseString(parameters));
    if (to != null) {
      message.addProperty("sessionId", to);
    }
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    answers.put(id, answer);
    socket.sendText(message.toString(), true).get(SECONDS, TimeUnit.SECONDS);
    JsonObject answered = answer.get(SECONDS, TimeUnit.SECONDS);
    if (answered.has("error")) {
      throw new IllegalStateException(method + ": " + answered.get("error"));
    }
    return answered.getAsJsonObject("result");
  }

  private void receive(JsonObject message) {
    if (message.has("id")) {
      CompletableFuture<JsonObject> answer = answers.remove(message.get("id").getAsInt());
      if (answer != null) {
        answer.complete(message);
      }
      return;
    }
    String method = message.get("method").getAsString();
    JsonObject parameters = message.getAsJsonObject("params");
    synchronized (complaints) {
      switch (method) {
        case "Page.loadEventFired" -> loaded.complete(null);
        case "Runtime.exceptionThrown", "Log.entryAdded" -> complaints.add(parameters.toString());
        case "Runtime.consoleAPICalled" -> complaints.add(parameters.toString());
        case "Network.requestWillBeSent" ->
            requests.add(parameters.getAsJsonObject("request").get("url").getAsString());
        default -> {}
      }
    }
  }

  /** Asks it to end, so that it leaves nothing behind; ends it if it does not. */
  @Override
  public void close() {
    try {
      // It may have ended already.
      socket
          .sendText("{\"id\":0,\"method\":\"Browser.close\"}", true)
          .orTimeout(5, TimeUnit.SECONDS)
          .exceptionally(failure -> socket)
          .join();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        // The binary may be a script around the browser: its processes end first.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    socket.abort();
  }

  /** Puts the pieces of messages together. */
  private final class Listener implements WebSocket.Listener {

    private final StringBuilder message = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        JsonObject whole = JsonParser.parseString(message.toString()).getAsJsonObject();
        message.setLength(0);
        receive(whole);
      }
      from.request(1);
      return null;
    }
  }
}
