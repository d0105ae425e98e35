package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Bytes;
import com.google.protobuf.Message;
import dev.sublet.onnx.RandomModels;
import dev.sublet.proto.Buffer;
import dev.sublet.proto.BufferList;
import dev.sublet.proto.MemoryPlan;
import dev.sublet.proto.PlanRequest;
import dev.sublet.proto.PlanRequestOptions;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarType;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.testing.damage.ByteDamage;
import dev.sublet.testing.damage.Damage;
import dev.sublet.testing.damage.JsonDamage;
import dev.sublet.testing.damage.MessageDamage;
import dev.sublet.testing.damage.MessageForm;
import dev.sublet.testing.damage.TextDamage;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.random.RandomPrograms;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Commands for every reader, with undamaged inputs. */
final class ReaderSeeds {

  /** Enough for small programs. */
  private static final ImmutableList<String> FEW_NODES = ImmutableList.of("--nodes", "200");

  private static final ImmutableList<String> PROGRAM_COMMANDS =
      ImmutableList.of(
          "inspect",
          "plan -o ${case}/out.plan.json",
          "plan -o ${case}/out.csv",
          "plan -o ${case}/out.h",
          "plan -o ${case}/out.tflm",
          "optimize -o ${case}/out.pdmodel --plan ${case}/out.plan.pb",
          "optimize -o ${case}/out.json --report ${case}/out.html",
          "optimize -o ${case}/out.textproto --report ${case}/out.svg --release",
          "liveness",
          "liveness --raw",
          "liveness --dot",
          "liveness --top 3 --sort time",
          "liveness --at PEAK",
          "explain",
          "check --max-arena 1KiB",
          "run --max-steps 300",
          "run --max-steps 300 --compare",
          "convert -o ${case}/out.json",
          "convert -o ${case}/out.textproto",
          "convert -o ${case}/out.pdmodel");

  private static final ImmutableList<String> MODEL_COMMANDS =
      ImmutableList.of(
          "inspect",
          "plan -o ${case}/out.plan.json",
          "plan --report ${case}/out.html",
          "optimize -o ${case}/out.onnx --plan ${case}/out.plan.pb",
          "liveness",
          "explain",
          "check --max-arena 1KiB",
          "convert -o ${case}/out.textproto");

  private static final ImmutableList<String> PLAN_FILES =
      ImmutableList.of(
          "plan.json",
          "plan.pb",
          "plan.textproto",
          "plan.csv",
          "plan.buffers.csv",
          "plan.problem.csv",
          "plan.trace.json",
          "plan.tflm",
          "plan.tflm.json");

  private static final ImmutableList<String> MICRO_COMMANDS =
      ImmutableList.of(
          "micro --emit op",
          "micro --emit loops",
          "micro --emit c",
          "micro --emit c --grad",
          "micro --grad --no-fuse",
          "micro --run --shape x=2,3",
          "micro --run --grad --json");

  private static final Damage TEXT = new TextDamage();
  private static final Damage BYTES = new ByteDamage();
  private static final Damage JSON = new JsonDamage();

  private final TestData data;

  ReaderSeeds(TestData data) {
    this.data = data;
  }

  /** One that the generator chooses; empty if what it needs first could not be made. */
  Optional<Seed> make(SplittableRandom random) {
    return switch (random.nextInt(16)) {
      case 0, 1, 2 -> Optional.of(program(random));
      case 3, 4, 5 -> Optional.of(model(random));
      case 6, 7, 8 -> plan(random);
      case 9 -> Optional.of(table(random));
      case 10 -> Optional.of(npy(random));
      case 11 -> Optional.of(parameters(random));
      case 12 -> Optional.of(micro(random));
      case 13 -> Optional.of(frames(random));
      case 14 -> Optional.of(options(random));
      default -> tablePlan(random);
    };
  }

  private static <T> T pick(List<T> list, SplittableRandom random) {
    return list.get(random.nextInt(list.size()));
  }

  private ProgramDesc program(SplittableRandom random, boolean executable) {
    int size = random.nextInt(3, 20);
    if (executable) {
      return ExecutablePrograms.generate(random.nextLong(), size).toMessage();
    }
    return random.nextInt(4) == 0
        ? RandomPrograms.generateWithViews(random.nextLong(), size).toMessage()
        : pick(data.programs(), random);
  }

  private static MessageForm form(SplittableRandom random) {
    return pick(List.of(MessageForm.BINARY, MessageForm.TEXT, MessageForm.JSON), random);
  }

  /** Mostly that of a message: what breaks the form itself is refused before anything else. */
  private static ImmutableList<Damage> damages(Message prototype, MessageForm form) {
    Damage message = new MessageDamage(prototype, form);
    return switch (form) {
      case BINARY, FRAME -> repeated(message, 9, BYTES);
      case TEXT -> repeated(message, 6, TEXT, TEXT, BYTES);
      case JSON -> repeated(message, 6, JSON, JSON, TEXT, BYTES);
    };
  }

  private static ImmutableList<Damage> repeated(Damage often, int times, Damage... others) {
    return ImmutableList.<Damage>builder()
        .addAll(Collections.nCopies(times, often))
        .add(others)
        .build();
  }

  private static String fileName(MessageForm form, String binary) {
    return switch (form) {
      case BINARY, FRAME -> "in." + binary;
      case TEXT -> "in.textproto";
      case JSON -> "in.json";
    };
  }

  /** A command in one line, with an input and further options where it plans. */
  private static Invocation invocation(
      String reader,
      String command,
      String input,
      ImmutableMap<String, byte[]> files,
      SplittableRandom random) {
    List<String> words = Splitter.on(' ').splitToList(command);
    String verb = words.get(0);
    Invocation invocation =
        new Invocation(
            reader, verb, input, files, ImmutableList.copyOf(words.subList(1, words.size())));
    boolean plans = List.of("plan", "optimize", "explain", "check", "run").contains(verb);
    if (plans) {
      invocation = invocation.plus(FEW_NODES.toArray(new String[0]));
    }
    if (plans || List.of("inspect", "liveness").contains(verb)) {
      invocation = invocation.plus(OptionTexts.right(random, plans).toArray(new String[0]));
    }
    return invocation;
  }

  private Seed program(SplittableRandom random) {
    MessageForm form = form(random);
    String command = pick(PROGRAM_COMMANDS, random);
    ProgramDesc program = program(random, command.startsWith("run") && random.nextBoolean());
    byte[] bytes = form.print(program).orElseThrow();
    String name = fileName(form, "pdmodel");
    Invocation invocation =
        invocation("program " + form, command, name, ImmutableMap.of(name, bytes), random);
    if (random.nextInt(6) == 0) {
      String verb = random.nextBoolean() ? "verify" : "diff";
      invocation =
          new Invocation(
              "program " + form,
              verb,
              name,
              ImmutableMap.of(name, bytes, "other", bytes),
              ImmutableList.of("${case}/other"));
    }
    return new Seed(
        invocation,
        ImmutableListMultimap.<String, Damage>builder()
            .putAll(name, damages(ProgramDesc.getDefaultInstance(), form))
            .build());
  }

  private Seed model(SplittableRandom random) {
    MessageForm form = form(random);
    ModelProto model =
        random.nextBoolean() ? RandomModels.of(random.nextLong()) : pick(data.models(), random);
    String name = fileName(form, "onnx");
    return new Seed(
        invocation(
            "onnx " + form,
            pick(MODEL_COMMANDS, random),
            name,
            ImmutableMap.of(name, form.print(model).orElseThrow()),
            random),
        ImmutableListMultimap.<String, Damage>builder()
            .putAll(name, damages(ModelProto.getDefaultInstance(), form))
            .build());
  }

  /** A plan in any form, and a command that reads it. */
  private Optional<Seed> plan(SplittableRandom random) {
    ProgramDesc program = program(random, random.nextBoolean());
    String file = pick(PLAN_FILES, random);
    ImmutableMap<String, byte[]> files = ImmutableMap.of("in.pdmodel", program.toByteArray());
    Invocation planning = invocation("", "plan -o ${case}/" + file, "in.pdmodel", files, random);
    return Scratch.made(planning, file)
        .map(
            plan -> {
              ImmutableMap<String, byte[]> both =
                  ImmutableMap.of("in.pdmodel", program.toByteArray(), file, plan);
              return new Seed(
                  planCommand("plan " + file, file, both, random),
                  ImmutableListMultimap.<String, Damage>builder()
                      .putAll(file, planDamages(file))
                      .build());
            });
  }

  private static Invocation planCommand(
      String reader, String file, ImmutableMap<String, byte[]> files, SplittableRandom random) {
    String command =
        switch (random.nextInt(7)) {
          case 0 -> "report -o ${case}/out.html --program ${case}/in.pdmodel";
          case 1 -> "report -o ${case}/out.svg";
          case 2 -> "convert -o ${case}/out." + pick(PLAN_FILES, random);
          case 3 -> "check --max-arena 1KiB --program ${case}/in.pdmodel";
          case 4 -> "diff ${case}/" + file;
          default -> "";
        };
    if (!command.isEmpty()) {
      List<String> words = Splitter.on(' ').splitToList(command);
      return new Invocation(
          reader, words.get(0), file, files, ImmutableList.copyOf(words.subList(1, words.size())));
    }
    ImmutableList<String> plan = ImmutableList.of("--plan", "${case}/" + file);
    return random.nextBoolean()
        ? new Invocation(reader, "verify", "in.pdmodel", files, plan)
        : new Invocation(reader, "run", "in.pdmodel", files, plan).plus("--max-steps", "300");
  }

  private static ImmutableList<Damage> planDamages(String file) {
    return switch (file) {
      case "plan.json" -> damages(MemoryPlan.getDefaultInstance(), MessageForm.JSON);
      case "plan.pb" -> damages(MemoryPlan.getDefaultInstance(), MessageForm.BINARY);
      case "plan.textproto" -> damages(MemoryPlan.getDefaultInstance(), MessageForm.TEXT);
      case "plan.trace.json", "plan.tflm.json" -> ImmutableList.of(JSON, TEXT);
      case "plan.tflm" -> ImmutableList.of(BYTES);
      default -> ImmutableList.of(TEXT, TEXT, BYTES);
    };
  }

  private Seed table(SplittableRandom random) {
    String file = pick(List.of("out.csv", "out.tflm", "out.tflm.json", "out.h"), random);
    return new Seed(
        new Invocation(
            "csv",
            "plan",
            "in.csv",
            ImmutableMap.of("in.csv", pick(data.tables(), random)),
            ImmutableList.<String>builder().add("-o", "${case}/" + file).addAll(FEW_NODES).build()),
        ImmutableListMultimap.of("in.csv", TEXT, "in.csv", BYTES));
  }

  private Optional<Seed> tablePlan(SplittableRandom random) {
    String file = pick(List.of("plan.csv", "plan.tflm", "plan.tflm.json"), random);
    ImmutableMap<String, byte[]> files = ImmutableMap.of("in.csv", pick(data.tables(), random));
    ImmutableList<String> options =
        ImmutableList.<String>builder().add("-o", "${case}/" + file).addAll(FEW_NODES).build();
    return Scratch.made(new Invocation("", "plan", "in.csv", files, options), file)
        .map(
            plan ->
                new Seed(
                    new Invocation(
                            "planned table " + file,
                            "verify",
                            "in.csv",
                            files,
                            ImmutableList.of("--plan", "${case}/" + file))
                        .withFile(file, plan),
                    ImmutableListMultimap.<String, Damage>builder()
                        .putAll(file, planDamages(file))
                        .put("in.csv", TEXT)
                        .build()));
  }

  private Seed npy(SplittableRandom random) {
    ProgramDesc program = program(random, random.nextBoolean());
    ImmutableMap<String, VarType.TensorDesc> feeds = TensorBytes.feeds(program);
    if (feeds.isEmpty()) {
      return program(random);
    }
    String feed = pick(feeds.keySet().asList(), random);
    return new Seed(
        new Invocation(
                "npy",
                "run",
                "in.pdmodel",
                ImmutableMap.of("in.pdmodel", program.toByteArray()),
                ImmutableList.of("--max-steps", "300", "--feed", feed + "=${case}/feed.npy"))
            .withFile("feed.npy", TensorBytes.npy(requireNonNull(feeds.get(feed)))),
        ImmutableListMultimap.of("feed.npy", TEXT, "feed.npy", BYTES));
  }

  /** One file for all, or a folder of names that a path can be made of. */
  private Seed parameters(SplittableRandom random) {
    ProgramDesc program = program(random, random.nextBoolean());
    ImmutableMap.Builder<String, byte[]> files = ImmutableMap.builder();
    files.put("in.pdmodel", program.toByteArray());
    ImmutableListMultimap.Builder<String, Damage> damages = ImmutableListMultimap.builder();
    damages.putAll("in.pdmodel", damages(ProgramDesc.getDefaultInstance(), MessageForm.BINARY));
    ImmutableMap<String, VarType.TensorDesc> parameters = TensorBytes.parameters(program);
    boolean inFolder = random.nextBoolean();
    if (inFolder) {
      parameters.forEach(
          (name, tensor) -> {
            if (name.matches("\\w{1,50}")) {
              files.put("params/" + name, TensorBytes.parameter(tensor));
              damages.put("params/" + name, BYTES);
            }
          });
      files.put("params/other", new byte[0]);
    } else {
      byte[][] all =
          parameters.values().stream().map(TensorBytes::parameter).toArray(byte[][]::new);
      files.put("params", Bytes.concat(all));
      damages.put("params", BYTES);
    }
    return new Seed(
        new Invocation(
            inFolder ? "parameters in a folder" : "parameters in a file",
            "run",
            "in.pdmodel",
            files.buildKeepingLast(),
            ImmutableList.of("--max-steps", "300", "--params", "${case}/params")),
        damages.build());
  }

  private Seed micro(SplittableRandom random) {
    List<String> words = Splitter.on(' ').splitToList(pick(MICRO_COMMANDS, random));
    return new Seed(
        new Invocation(
            "micro",
            words.get(0),
            "in.micro",
            ImmutableMap.of("in.micro", pick(data.micros(), random)),
            ImmutableList.copyOf(words.subList(1, words.size()))),
        ImmutableListMultimap.of("in.micro", TEXT, "in.micro", TEXT, "in.micro", BYTES));
  }

  private Seed frames(SplittableRandom random) {
    PlanRequest.Builder request =
        PlanRequest.newBuilder()
            .setId(7)
            .setRewrite(random.nextBoolean())
            .setOptions(
                PlanRequestOptions.newBuilder()
                    .setPlanner(random.nextBoolean() ? "best" : "nnc")
                    .setNodes(200)
                    .setLoops("unroll")
                    .setViews("all"));
    Message prototype = ProgramDesc.getDefaultInstance();
    switch (random.nextInt(3)) {
      case 0 ->
          request.setBuffers(
              BufferList.newBuilder()
                  .addBuffers(Buffer.newBuilder().setId("a").setUpper(4).setSize(64))
                  .addBuffers(Buffer.newBuilder().setId("b").setLower(2).setUpper(6).setSize(32)));
      case 1 -> {
        prototype = ModelProto.getDefaultInstance();
        request.setProgram(RandomModels.of(random.nextLong()).toByteString());
      }
      default -> request.setProgram(program(random, false).toByteString());
    }
    Damage program = new RequestedProgramDamage(prototype);
    return new Seed(
        new Invocation(
            "plug-in",
            "plugin",
            "",
            ImmutableMap.of(
                Invocation.STDIN, MessageForm.FRAME.print(request.build()).orElseThrow()),
            ImmutableList.of()),
        ImmutableListMultimap.<String, Damage>builder()
            .putAll(Invocation.STDIN, damages(PlanRequest.getDefaultInstance(), MessageForm.FRAME))
            .putAll(Invocation.STDIN, Collections.nCopies(10, program))
            .build());
  }

  private Seed options(SplittableRandom random) {
    ProgramDesc program = program(random, random.nextBoolean());
    ImmutableMap<String, VarType.TensorDesc> feeds = TensorBytes.feeds(program);
    String feed = feeds.isEmpty() ? "x" : pick(feeds.keySet().asList(), random);
    String shape =
        feeds.isEmpty()
            ? "2,3"
            : Joiner.on(',').join(requireNonNull(feeds.get(feed)).getDimsList());
    String verb = pick(List.of("plan", "plan", "check", "run", "explain"), random);
    return new Seed(
        new Invocation(
            "options",
            verb,
            "in.pdmodel",
            ImmutableMap.of(
                "in.pdmodel",
                program.toByteArray(),
                "keep.txt",
                ("# kept\n" + feed + "\n").getBytes(UTF_8)),
            ImmutableList.<String>builder()
                .addAll(FEW_NODES)
                .addAll(OptionTexts.demanded(verb))
                .addAll(OptionTexts.damaged(verb, feed, shape, random))
                .build()),
        ImmutableListMultimap.of("keep.txt", TEXT));
  }
}
