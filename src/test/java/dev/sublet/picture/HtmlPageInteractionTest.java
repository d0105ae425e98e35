package dev.sublet.picture;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page's answers to two questions: what the peak consists of, and what is live elsewhere. Each
 * test drives a real Chromium. Skipped where there is no Chromium.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HtmlPageInteractionTest {

  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final Path MOBILE = Path.of("testdata/examples/mobile_block/program.textproto");
  private static final Path TRAINING =
      Path.of("testdata/examples/machine_translation/program.textproto");
  private static final String[] TRAINING_SHAPES = {
    "--shape", "src_word=60,1", "--shape", "trg_word=70,1", "--shape", "trg_next=70,1"
  };

  /** Whether the first view is shown. */
  private static final String FIRST_VIEW =
      """
      (() => {
        const {state, view, painter, model} = sublet;
        return state.at === peakStep(model) && state.selected === -1 && view.before === 'folded'
            && painter.palette.mode === painter.palette.modes[0][0] && view.t0 === 0
            && view.t1 === model.endPoint && view.zooms.join() === '1,1';
      })()
      """;

  @TempDir private static Path folder = Path.of("");
  private static Chromium browser;
  private static Path mobile;

  @BeforeAll
  static void start() throws Exception {
    Optional<Path> binary = Chromium.installed();
    assumeTrue(binary.isPresent(), "skipped: there is no Chromium");
    browser = new Chromium(binary.get(), Files.createDirectory(folder.resolve("profile")));
    Files.createDirectories(SCREENSHOTS);
    mobile = ReportedPage.write(folder, "mobile", "plan", MOBILE);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  private static void open() throws Exception {
    browser.media("screen", "light");
    browser.open(mobile, 1280, 820);
  }

  private static void keep(String name) throws Exception {
    Files.write(SCREENSHOTS.resolve(name + ".png"), browser.screenshot());
  }

  private static boolean isTrue(String expression) throws Exception {
    return browser.evaluate(expression).getAsBoolean();
  }

  private static int number(String expression) throws Exception {
    return browser.evaluate(expression).getAsInt();
  }

  private static void assertNoComplaints() {
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests()).hasSize(1);
  }

  @Test
  void thePlanIsTheSubject_andBeforeIsASilhouette() throws Exception {
    open();
    assertThat(isTrue(FIRST_VIEW)).isTrue();
    assertThat(browser.evaluate("sublet.view.panels[1].height / sublet.view.height").getAsDouble())
        .isGreaterThan(0.5);
    // The arena takes all of its panel.
    assertThat(
            browser
                .evaluate(
                    "sublet.view.y(1, sublet.model.stages[1].height) - sublet.view.panels[1].top")
                .getAsDouble())
        .isWithin(1e-6)
        .of(0);
    assertNoComplaints();
  }

  /** The marker has a strip of its own below the heading of the curve. */
  @Test
  void theMarkerOfThePeak_isBelowTheHeading() throws Exception {
    open();
    String color =
        """
        (y => {
          const {view, model, painter} = sublet;
          const x = Math.round(view.x(model.livePoints[model.peak]));
          const [r, g, b] = byId('marks').getContext('2d').getImageData(x, y, 1, 1).data;
          const warn = parseColor(fromHex(painter.theme.warn));
          return Math.hypot(r - warn[0], g - warn[1], b - warn[2]) < 40;
        })(Math.round(sublet.view.curveTop) + %d)
        """;
    assertThat(isTrue(color.formatted(6))).isTrue();
    assertThat(isTrue(color.formatted(40))).isTrue();
    assertThat(isTrue(color.formatted(-3))).isFalse();
    assertThat(isTrue(color.formatted(-12))).isFalse();
  }

  /** The text form is made by other code, from the plan itself. */
  @Test
  void thePeak_isThatOfExplainPeak() throws Exception {
    for (String[] program :
        List.of(
            new String[] {MOBILE.toString()},
            new String[] {"testdata/examples/ten_operators/program.textproto"},
            with(TRAINING.toString(), TRAINING_SHAPES))) {
      browser.open(ReportedPage.write(folder, "peak", (Object[]) with("plan", program)), 1280, 820);
      JsonObject expected =
          JsonParser.parseString(
                  ReportedPage.run(
                      0, (Object[]) with("explain", with(program, "--peak", "--json", "-q"))))
              .getAsJsonObject();
      List<String> rows = new ArrayList<>();
      for (JsonElement each : expected.getAsJsonArray("tensors")) {
        JsonObject tensor = each.getAsJsonObject();
        rows.add(
            tensor.get("variable").getAsString()
                + " "
                + tensor.get("bytes").getAsLong()
                + " "
                + tensor.get("kind").getAsString());
      }
      String shown =
          """
          liveAt(sublet.model, pointOfStep(sublet.model, sublet.state.at)).filter(row => !row.isStep).map(row =>
              sublet.model.name(row.variable) + ' ' + row.bytes + ' ' + sublet.model.kind(row.variable))
          """;
      List<String> page = new ArrayList<>();
      browser.evaluate(shown).getAsJsonArray().forEach(row -> page.add(row.getAsString()));
      assertWithMessage(program[0]).that(page).containsExactlyElementsIn(rows);
      assertThat(browser.text("byId('panel').querySelector('h2').textContent"))
          .startsWith("The peak: ");
      // The first row that a reader sees is the largest tensor, with its share.
      assertThat(browser.text("byId('panel').querySelector('.live li').innerText"))
          .startsWith(rows.get(0).split(" ", 2)[0]);
    }
    keep("training");
    assertNoComplaints();
  }

  private static String[] with(String first, String... rest) {
    List<String> all = new ArrayList<>(List.of(rest));
    all.add(0, first);
    return all.toArray(new String[0]);
  }

  private static String[] with(String[] first, String... rest) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(rest));
    return all.toArray(new String[0]);
  }

  /** What the list shows at the chosen step, against all boxes and all their pieces. */
  private static final String WRONG_LIVE =
      """
      (() => {
        const {model, state} = sublet;
        const after = model.stages[1];
        const point = pointOfStep(model, state.at);
        const expected = [];
        for (let b = 0; b < after.count; b++) {
          for (let p = after.firstPiece[b]; p < after.firstPiece[b + 1]; p++) {
            if (after.begin[p] <= point && point < after.end[p]) {
              expected.push({name: model.name(after.variable[b]), bytes: after.bytes[b], v: after.variable[b]});
            }
          }
        }
        expected.sort((a, b) => b.bytes - a.bytes || a.v - b.v);
        const shown = [...byId('panel').querySelectorAll('.live li .first')].map(e =>
            e.querySelector('button').textContent + ' ' + e.querySelector('.numbers').textContent.split('  ')[0]);
        const wanted = expected.map(e => e.name + ' ' + shortBytes(e.bytes));
        return shown.join() === wanted.join() ? '' : state.at + ': ' + shown + ' instead of ' + wanted;
      })()
      """;

  @Test
  void theSlider_listsWhatIsLiveAtEveryOperator() throws Exception {
    open();
    int peak = number("sublet.state.at");
    browser.evaluate("byId('at').focus()");
    browser.evaluate(
        "byId('at').value = '0'; byId('at').dispatchEvent(new Event('input', {bubbles: true}))");
    assertThat(number("sublet.state.at")).isEqualTo(0);
    int steps = number("sublet.model.stepCount");
    browser.evaluate("sublet.canvas.focus()");
    for (int step = 0; step < steps; step++) {
      assertThat(number("sublet.state.at")).isEqualTo(step);
      assertThat(number("Number(byId('at').value)")).isEqualTo(step);
      assertThat(browser.text("byId('at').getAttribute('aria-valuetext')"))
          .isEqualTo(browser.text("describePoint(sublet.model, 2 * sublet.state.at)"));
      assertThat(browser.text(WRONG_LIVE)).isEmpty();
      browser.keys(".");
    }
    assertThat(number("sublet.state.at")).isEqualTo(steps - 1);
    browser.keys(",");
    assertThat(number("sublet.state.at")).isEqualTo(steps - 2);
    keep("mobile-elsewhere");
    browser.keys("m");
    assertThat(number("sublet.state.at")).isEqualTo(peak);
    browser.keys(",");
    browser.evaluate("byId('to-peak').click()");
    assertThat(number("sublet.state.at")).isEqualTo(peak);
    assertThat(browser.text("byId('at-words').textContent")).endsWith(", the peak");
    assertNoComplaints();
  }

  @Test
  void beforeAtAnOperator_isFoldedUnderTheList() throws Exception {
    open();
    assertThat(browser.text("byId('panel').querySelector('details.before summary').textContent"))
        .matches("Before: .* held by \\d+, .* of it dead");
    browser.evaluate("byId('panel').querySelector('details.before').open = true");
    browser.settle();
    String wrong =
        """
        (() => {
          const {model, state} = sublet;
          const before = model.stages[0];
          const point = pointOfStep(model, state.at);
          const held = [...Array(before.count).keys()].filter(b => before.begin[before.firstPiece[b]] <= point);
          const rows = byId('panel').querySelectorAll('details.before li');
          return rows.length === held.length ? '' : rows.length + ' instead of ' + held.length;
        })()
        """;
    assertThat(browser.text(wrong)).isEmpty();
  }

  @Test
  void before_opensByClickKeyAndSwitch_withOneScaleOrItsOwn() throws Exception {
    open();
    double x = 600;
    double y =
        browser
            .evaluate("sublet.canvas.getBoundingClientRect().top + sublet.view.panels[0].top + 20")
            .getAsDouble();
    browser.mouse("mouseMoved", x, y);
    assertThat(browser.text("byId('tip').innerText")).matches("(?s)Before\n.* held at #.*");
    browser.click(x, y);
    assertThat(browser.text("sublet.view.before + byId('before').value")).isEqualTo("openopen");
    assertThat(isTrue("sublet.view.scaleOf(0) < sublet.view.scaleOf(1)")).isTrue();
    keep("mobile-before-open");
    browser.evaluate("sublet.canvas.focus()");
    browser.keys("b");
    assertThat(browser.text("sublet.view.before")).isEqualTo("same");
    assertThat(isTrue("sublet.view.scaleOf(0) === sublet.view.scaleOf(1)")).isTrue();
    browser.keys("]");
    assertThat(isTrue("sublet.view.scaleOf(0) === sublet.view.scaleOf(1)")).isTrue();
    browser.keys("b");
    assertThat(isTrue(FIRST_VIEW)).isTrue();
    browser.evaluate(
        "byId('before').value = 'same'; byId('before').dispatchEvent(new Event('change'))");
    assertThat(browser.text("sublet.view.before")).isEqualTo("same");
    assertNoComplaints();
  }

  /**
   * At random places of the plan: the variable that the pointer names has the color of the pixel,
   * unless a name, a border or a line is drawn over it.
   */
  private static final String WRONG_COLORS =
      """
      (() => {
        const {model, view, painter, canvas, state} = sublet;
        state.hover = null;
        state.point = -1;
        sublet.drawNow();
        const context = canvas.getContext('2d');
        const panel = view.panels[1];
        let seed = 5;
        const random = n => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648 * n;
        let same = 0;
        let other = 0;
        for (let i = 0; i < 600; i++) {
          const x = Math.floor(view.left + random(view.plot)) + 0.5;
          const y = Math.floor(panel.top + random(panel.height)) + 0.5;
          const hit = sublet.hit(x, y);
          if (hit) {
            const [r, g, b] = context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data;
            // A pixel of a name, a border, or a line has a color between two others, and is skipped.
            const far = c => Math.hypot(r - c[0], g - c[1], b - c[2]);
            const wanted = painter.colors[painter.palette.classes[hit.variable]];
            if (far(wanted) < 30) {
              same++;
            } else if (painter.colors.some(color => far(color) < 8)) {
              other++;
            }
          }
        }
        return [same, other];
      })()
      """;

  @Test
  void colors_haveALegendAndAreThoseOfThePixels() throws Exception {
    open();
    // Before Chromium's advice about reading pixels back, which only this test does.
    assertNoComplaints();
    browser.evaluate("sublet.canvas.focus()");
    List<String> modes = new ArrayList<>();
    for (JsonElement mode :
        browser.evaluate("sublet.painter.palette.modes.map(m => m[0])").getAsJsonArray()) {
      modes.add(mode.getAsString());
    }
    assertThat(modes).containsExactly("family", "kind", "layer", "size", "name").inOrder();
    for (String mode : modes) {
      assertThat(browser.text("sublet.painter.palette.mode + byId('color').value"))
          .isEqualTo(mode + mode);
      JsonArray counts = browser.evaluate(WRONG_COLORS).getAsJsonArray();
      assertWithMessage("%s: %s", mode, counts).that(counts.get(0).getAsInt()).isGreaterThan(100);
      // Shades of one color: what lies between two of them is a third one.
      int most = mode.equals("size") ? counts.get(0).getAsInt() / 20 : 0;
      assertWithMessage("%s: %s", mode, counts).that(counts.get(1).getAsInt()).isAtMost(most);
      // The legend has the classes that occur, each with its color, and no other one.
      assertThat(
              browser.text(
                  "[...byId('legend').children].map(e => e.firstChild.style.background).join(';')"))
          .isEqualTo(
              browser.text(
                  """
                  sublet.painter.palette.mode === 'name' ? ''
                      : [...new Set(sublet.painter.classes[1])].sort((a, b) => a - b).map(c => {
                          const probe = document.createElement('i');
                          probe.style.background = cssColor(sublet.painter.colors[c]);
                          return probe.style.background;
                        }).join(';')
                  """));
      keep("mobile-by-" + mode);
      browser.keys("c");
    }
    assertThat(browser.text("sublet.painter.palette.mode")).isEqualTo("family");
    assertThat(browser.text("byId('legend').innerText"))
        .isEqualTo(
            "feed\nmatrix product\nconvolution\nnormalization\npooling, resizing\nmoving data\nelementwise");
    browser.evaluate(
        "byId('color').value = 'size'; byId('color').dispatchEvent(new Event('change'))");
    assertThat(browser.text("byId('legend').innerText")).contains("from 128 KiB");
  }

  /**
   * The least distance of two colors of the palette, in CIELAB, for people with normal sight,
   * without red cones and without green cones. Source: Machado, Oliveira, Fernandes, "A
   * physiologically-based model for simulation of color vision deficiency", 2009.
   */
  private static final String LEAST_DISTANCE =
      """
      (() => {
        const sights = [[1, 0, 0, 0, 1, 0, 0, 0, 1],
            [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
            [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881]];
        const linear = c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        const f = t => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
        const lab = ([r, g, b]) => {
          const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
          return [116 * y - 16, 500 * (f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047) - y),
              200 * (y - f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883))];
        };
        let least = Infinity;
        for (const m of sights) {
          const seen = sublet.painter.palettes.other.map(color => {
            const c = color.map(v => linear(v / 255));
            return lab([0, 3, 6].map(i => Math.min(1, Math.max(0, m[i] * c[0] + m[i + 1] * c[1] + m[i + 2] * c[2]))));
          });
          seen.forEach((a, i) => seen.slice(i + 1).forEach(b => {
            least = Math.min(least, Math.hypot(...a.map((v, k) => v - b[k])));
          }));
        }
        return least;
      })()
      """;

  @Test
  void colors_canBeToldApart_byColorBlindPeopleToo() throws Exception {
    open();
    assertThat(browser.evaluate(LEAST_DISTANCE).getAsDouble()).isGreaterThan(15.0);
    browser.media("screen", "dark");
    assertThat(browser.evaluate(LEAST_DISTANCE).getAsDouble()).isGreaterThan(15.0);
    browser.media("screen", "light");
  }

  /** Names as they are drawn, measured, against the rectangles that they belong to. */
  private static final String NAMES_OUTSIDE =
      """
      (() => {
        const {painter, canvas} = sublet;
        const context = canvas.getContext('2d');
        context.font = SMALL_FONT;
        const outside = painter.names.filter(n => context.measureText(n.text).width > n.right - n.left + 0.5
            || n.bottom - n.top < 11);
        return [painter.names.length, outside.map(n => n.text).join()];
      })()
      """;

  @Test
  void names_neverLeaveTheirBoxes() throws Exception {
    browser.media("screen", "light");
    Path hostile =
        ReportedPage.program(
            folder, "hostile", Path.of("testdata/picture/hostile_names/in.program"));
    int names = 0;
    for (Path page : List.of(mobile, ReportedPage.write(folder, "names", "plan", hostile))) {
      browser.open(page, 1280, 820);
      browser.evaluate("sublet.setBefore('open'); sublet.drawNow()");
      for (int i = 0; i < 8; i++) {
        JsonArray outside = browser.evaluate(NAMES_OUTSIDE).getAsJsonArray();
        names += outside.get(0).getAsInt();
        assertThat(outside.get(1).getAsString()).isEmpty();
        browser.evaluate("sublet.view.zoomTime(1.4, 500); sublet.drawNow()");
      }
    }
    assertThat(names).isGreaterThan(50);
  }

  @Test
  void hover_namesTheBoxThatIsSeen() throws Exception {
    // In a chain of in-place operators, all boxes have the same bytes where they overlap in time.
    Path input =
        ReportedPage.program(folder, "twice", Path.of("testdata/picture/twice/in.program"));
    browser.open(ReportedPage.write(folder, "twice", "plan", input), 1100, 700);
    browser.evaluate("sublet.setMode('name')");
    JsonArray counts = browser.evaluate(WRONG_COLORS).getAsJsonArray();
    assertThat(counts.get(0).getAsInt()).isGreaterThan(100);
    assertThat(counts.get(1).getAsInt()).isEqualTo(0);
    String overlap =
        """
        (() => {
          // Two boxes of the same bytes at the same time: the one that is drawn last is named.
          const {model, view} = sublet;
          const after = model.stages[1];
          for (let a = 0; a < after.count; a++) {
            after.low[a] = after.low[0];
            after.high[a] = after.high[0];
          }
          after.index = new BoxIndex([...Array(after.count).keys()], after.from, after.to, after.low, after.high);
          for (let t = 0; t < model.endPoint; t++) {
            const there = [...Array(after.count).keys()].filter(b => pieceAt(after, b, t) >= 0);
            const hit = sublet.hit(view.x(t + 0.5), view.y(1, (after.low[0] + after.high[0]) / 2));
            if (there.length > 1) {
              return hit.box === there[there.length - 1];
            }
          }
          return null;
        })()
        """;
    assertThat(isTrue(overlap)).isTrue();
  }

  /**
   * The pixels of the marks at a place of each box of the plan. The veil covers the boxes of other
   * names; the boxes of the selected name have their own color. Counts right and wrong pixels.
   */
  private static final String VEILED =
      """
      (() => {
        const {model, view, painter, state} = sublet;
        sublet.setMode('name');
        state.hover = null;
        state.point = -1;
        sublet.drawNow();
        const context = byId('marks').getContext('2d');
        const after = model.stages[1];
        const holder = model.holder[state.selected];
        const counts = {clear: 0, veiled: 0, wrong: 0};
        for (let b = 0; b < after.count; b++) {
          for (let p = after.firstPiece[b]; p < after.firstPiece[b + 1]; p++) {
            // Clear of borders, of the name in the middle, and of the lines at operators.
            const x = Math.round(view.x(after.begin[p] + 0.3));
            const y = Math.round(view.y(1, after.low[b]) - 4);
            const [red, green, blue, alpha] = context.getImageData(x, y, 1, 1).data;
            const wanted = painter.colors[painter.classes[1][p]];
            const isOwn = Math.hypot(red - wanted[0], green - wanted[1], blue - wanted[2]) < 8 && alpha === 255;
            if ((view.y(1, after.low[b]) - view.y(1, after.high[b])) < 10) {
              continue;
            }
            if (after.variable[b] === holder ? isOwn : Math.abs(alpha - 0.7 * 255) < 3) {
              counts[isOwn ? 'clear' : 'veiled']++;
            } else {
              counts.wrong++;
            }
          }
        }
        return counts;
      })()
      """;

  @Test
  void aSelection_veilsAllButItsName() throws Exception {
    browser.media("screen", "light");
    browser.open(ReportedPage.write(folder, "veil", "optimize", MOBILE), 1280, 820);
    String select =
        """
        (() => {
          const v = [...Array(sublet.model.variableCount).keys()].find(v => sublet.model.name(v) === 'relu6_4.tmp_0');
          sublet.select(v, false);
        })()
        """;
    browser.evaluate(select);
    browser.settle();
    JsonObject counts = browser.evaluate(VEILED).getAsJsonObject();
    assertWithMessage("%s", counts).that(counts.get("wrong").getAsInt()).isEqualTo(0);
    assertWithMessage("%s", counts).that(counts.get("clear").getAsInt()).isAtLeast(10);
    assertWithMessage("%s", counts).that(counts.get("veiled").getAsInt()).isAtLeast(8);
    keep("veil");

    // The line is around the selected variable only, not around the others in its box.
    String outlined =
        """
        (() => {
          const strokes = [];
          const context = sublet.painter.marks.context;
          const old = context.strokeRect;
          context.strokeRect = (x, y, width) => context.lineWidth > 2 && strokes.push({left: x, right: x + width});
          sublet.painter.marks.draw(sublet.state);
          delete context.strokeRect;
          const {view, model, state} = sublet;
          const before = model.stages[0];
          const p = before.firstPiece[before.boxesOf(state.selected)[0]];
          // While an operator runs in place, its input is there, too.
          const from = [view.x(before.begin[p]), view.x(before.begin[p] + 1)];
          return strokes.length === 1 && from.some(x => Math.abs(strokes[0].left - x) < 1e-6)
              && Math.abs(strokes[0].right - view.x(before.end[p])) < 1e-6;
        })()
        """;
    assertThat(isTrue(outlined)).isTrue();
  }

  /** The words beside the marks of a scale, at every zoom. */
  @Test
  void marksOfAScale_haveDifferentWords() throws Exception {
    open();
    String same =
        """
        (() => {
          const words = [];
          sublet.painter.surroundings.eachTick(1, (y, bytes, step) => words.push(markBytes(bytes, step)));
          return [words.length, words.length - new Set(words).size];
        })()
        """;
    int marks = 0;
    for (int i = 0; i < 24; i++) {
      JsonArray counts = browser.evaluate(same).getAsJsonArray();
      marks += counts.get(0).getAsInt();
      assertThat(counts.get(1).getAsInt()).isEqualTo(0);
      browser.evaluate("sublet.view.zoomBytes(1.5, 1, 200); sublet.drawNow()");
    }
    assertThat(marks).isAtLeast(100);
  }

  @Test
  void aKey_hidesWhatWasSaidOfThePlaceUnderThePointer() throws Exception {
    open();
    browser.mouse("mouseMoved", 400, 300);
    browser.mouse("mouseMoved", 400, 690);
    assertThat(isTrue("byId('tip').hidden")).isFalse();
    browser.evaluate("sublet.canvas.focus()");
    browser.keys("+");
    assertThat(isTrue("byId('tip').hidden")).isTrue();
    browser.mouse("mouseMoved", 401, 690);
    assertThat(isTrue("byId('tip').hidden")).isFalse();
  }

  @Test
  void selectionAndStatus_sayTheSameLiveRange() throws Exception {
    for (Path page : List.of(mobile, ReportedPage.write(folder, "rewritten", "optimize", MOBILE))) {
      browser.open(page, 1280, 820);
      String wrong =
          """
          (() => {
            const {model} = sublet;
            const wrong = [];
            let checked = 0;
            for (let v = 0; v < model.variableCount; v++) {
              sublet.select(v, false);
              const terms = [...byId('panel').querySelectorAll('dt')];
              const live = terms.find(t => t.textContent === 'live');
              const status = byId('status').textContent;
              if (live) {
                checked++;
                if (!status.endsWith(', live ' + live.nextSibling.textContent)) {
                  wrong.push(status + ' / ' + live.nextSibling.textContent);
                }
              }
            }
            return [checked, wrong.join()];
          })()
          """;
      JsonArray answer = browser.evaluate(wrong).getAsJsonArray();
      assertThat(answer.get(1).getAsString()).isEmpty();
      assertThat(answer.get(0).getAsInt()).isAtLeast(30);
    }
  }

  @Test
  void aView_canBeSentAsAnAddress() throws Exception {
    open();
    assertThat(browser.text("location.hash")).isEmpty();
    browser.evaluate("sublet.canvas.focus()");
    browser.keys("c", "b", ".", ".", "+", "+", "ArrowRight", "]", "n", "n");
    browser.evaluate("new Promise(r => setTimeout(r, 300))");
    String hash = browser.text("location.hash");
    assertThat(hash).contains("color=kind");
    assertThat(hash).contains("before=open");
    assertThat(hash).contains("select=0:conv2d_0.tmp_0");
    String picture = browser.text("sublet.canvas.toDataURL()");
    String panel = browser.text("byId('panel').innerText");

    // In another tab, as it were.
    browser.open(mobile, 1280, 821);
    browser.open(mobile, 1280, 820);
    assertThat(isTrue(FIRST_VIEW)).isTrue();
    browser.evaluate("location.hash = '" + hash + "'");
    browser.settle();
    assertThat(browser.text("byId('panel').innerText")).isEqualTo(panel);
    assertThat(browser.text("sublet.canvas.toDataURL()")).isEqualTo(picture);

    // Back to the first view, and whatever else people write there.
    for (String other :
        List.of("#", "#at=1e9&time=5&bytes=a,b,c,d&select=%25E0%25A4%25A&before=no&color=x&&=")) {
      browser.evaluate("location.hash = '" + other + "'");
      browser.settle();
      String at = other.equals("#") ? "" : "sublet.goTo(peakStep(sublet.model));";
      browser.evaluate(at);
      assertWithMessage(other).that(isTrue(FIRST_VIEW)).isTrue();
    }
    assertNoComplaints();
  }

  @Test
  void narrowAndPrintedPages_showThePeakToo() throws Exception {
    browser.open(mobile, 420, 900);
    assertThat(number("document.documentElement.scrollWidth")).isEqualTo(420);
    assertThat(number("sublet.canvas.getBoundingClientRect().height")).isAtLeast(400);
    assertThat(isTrue("byId('panel').getBoundingClientRect().width > 380")).isTrue();
    keep("mobile-420");
    browser.media("print", "light");
    assertThat(browser.text("byId('static').querySelector('caption').textContent"))
        .startsWith("The peak: 624.00 KiB, at #");
    assertThat(isTrue("byId('static').querySelector('table').getBoundingClientRect().height > 100"))
        .isTrue();
    keep("mobile-420-print");
    browser.media("screen", "light");
  }

  /** The changes that the page lists, against the text of {@code diff}. */
  @Test
  void twoPlans_areOnOneScale_withWhatHasGrown() throws Exception {
    Path before = folder.resolve("before.plan.json");
    Path after = folder.resolve("after.plan.json");
    String[] larger = {"--shape", "src_word=60,1", "--shape", "trg_word=90,1"};
    ReportedPage.run(
        0,
        (Object[])
            with(
                with("plan", TRAINING.toString(), "-q", "-o", before.toString()), TRAINING_SHAPES));
    ReportedPage.run(
        0,
        (Object[])
            with(
                with("plan", TRAINING.toString(), "-q", "-o", after.toString()),
                with(larger, "--shape", "trg_next=90,1")));
    Path page = folder.resolve("grown.html");
    JsonObject expected =
        JsonParser.parseString(
                ReportedPage.run(1, "diff", before, after, "--json", "--report", page))
            .getAsJsonObject();
    browser.media("screen", "light");
    browser.open(page, 1400, 900);

    assertNoComplaints();
    assertThat(isTrue("sublet.view.scaleOf(0) === sublet.view.scaleOf(1)")).isTrue();
    long grown =
        expected.get("arena_bytes_after").getAsLong()
            - expected.get("arena_bytes_before").getAsLong();
    assertThat(browser.text("byId('growth').textContent"))
        .isEqualTo(browser.text("'The arena has grown by ' + shortBytes(%d)".formatted(grown)));
    List<String> changed = new ArrayList<>();
    for (JsonElement each : expected.getAsJsonArray("allocations")) {
      JsonObject change = each.getAsJsonObject();
      if (!change.getAsJsonArray("kinds").toString().equals("[\"moved\"]")) {
        changed.add(change.get("variable").getAsString());
      }
    }
    List<String> listed = new ArrayList<>();
    browser
        .evaluate("[...byId('changes').querySelectorAll('button.link')].map(b => b.textContent)")
        .getAsJsonArray()
        .forEach(name -> listed.add(name.getAsString()));
    assertThat(listed).isNotEmpty();
    assertThat(Set.copyOf(listed)).isEqualTo(Set.copyOf(changed));
    assertThat(browser.text("byId('panel').innerText")).contains("was ");
    assertThat(browser.text("byId('legend').innerText")).contains("grown");
    browser.evaluate("sublet.canvas.focus()");
    browser.keys("n", "f", "Escape", ",", "0");
    assertNoComplaints();
    keep("two-plans");
  }

  /** Real programs, for people to look at; the folder of the programs is not part of Sublet. */
  @Test
  void realPrograms_openAtTheirPeak() throws Exception {
    String corpus = System.getenv("SUBLET_CORPUS");
    assumeTrue(corpus != null, "skipped: SUBLET_CORPUS is not set");
    String[][] programs = {
      {"ppyoloe_l", "image=1,3,640,640", "scale_factor=1,2"}, {"slanet_ch", "x=1,3,488,488"}
    };
    for (String[] program : programs) {
      List<Object> arguments = new ArrayList<>();
      arguments.add("plan");
      arguments.add(Path.of(corpus, "paddle", program[0], "program.pdmodel"));
      for (int i = 1; i < program.length; i++) {
        arguments.addAll(List.of("--shape", program[i]));
      }
      look(program[0], ReportedPage.write(folder, program[0], arguments.toArray()));
      assertThat(browser.text("byId('panel').querySelector('.source').title")).contains(".py:");
    }
    look(
        "machine_translation",
        ReportedPage.write(
            folder, "mt", (Object[]) with(with("plan", TRAINING.toString()), TRAINING_SHAPES)));
  }

  private static void look(String name, Path page) throws Exception {
    browser.media("screen", "light");
    browser.open(page, 1400, 900);
    assertNoComplaints();
    keep(name + "-light");
    assertThat(browser.evaluate(NAMES_OUTSIDE).getAsJsonArray().get(1).getAsString()).isEmpty();
    browser.media("screen", "dark");
    keep(name + "-dark");
    browser.media("screen", "light");
    browser.open(page, 420, 1600);
    keep(name + "-420");
    browser.open(page, 1000, 1400);
    browser.media("print", "light");
    keep(name + "-print");
    browser.media("screen", "light");
  }
}
