package dev.sublet.plugin;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.primitives.Longs;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.plan.PlanReader;
import dev.sublet.codec.plan.PlanWriter;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.proto.Buffer;
import dev.sublet.proto.BufferGap;
import dev.sublet.proto.BufferList;
import dev.sublet.proto.Extents;
import dev.sublet.proto.MemoryPool;
import dev.sublet.proto.PlanRequest;
import dev.sublet.proto.PlanRequestOptions;
import dev.sublet.proto.PlanResponse;
import dev.sublet.proto.Renaming;
import dev.sublet.proto.Sequences;
import dev.sublet.proto.Severity;
import dev.sublet.proto.Status;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.testing.text.ProgramText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whatever comes in, what goes out is a response a request. */
class PluginServerTest {

  private static final String CHAIN =
      """
      version 2004001
      default fp32[256]
      block 0
      feed x: fp32[-1,256]
      a = fused_feedforward(x, x)
      b = fused_feedforward(a, a)
      c = fused_feedforward(b, b)
      d = fused_feedforward(c, c)
      fetch(d)
      """;

  private static final Program PROGRAM = ProgramText.parse(CHAIN);

  private static final ByteString BYTES =
      ByteString.copyFrom(
          ProgramWriter.toBytes(PROGRAM, ProgramFormat.BINARY, new DiagnosticLog()));

  /** What was answered, and what was wrong with the last frame. */
  private record Served(List<PlanResponse> responses, Optional<ProgramException> broken) {}

  private static Served serve(byte[] input, long most) throws IOException {
    return serve(input, most, new PlanService(RequestLimits.defaults()));
  }

  private static Served serve(byte[] input, long most, PlanService service) throws IOException {
    return serve(new ByteArrayInputStream(input), most, service);
  }

  private static Served serve(InputStream input, long most, PlanService service)
      throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    Optional<ProgramException> broken = PluginServer.serve(input, output, most, service);
    ByteBuffer frames = ByteBuffer.wrap(output.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    List<PlanResponse> responses = new ArrayList<>();
    while (frames.hasRemaining()) {
      byte[] message = new byte[frames.getInt()];
      frames.get(message);
      responses.add(PlanResponse.parseFrom(message));
    }
    return new Served(responses, broken);
  }

  private static byte[] frames(byte[]... messages) {
    int length = 0;
    for (byte[] message : messages) {
      length += 4 + message.length;
    }
    ByteBuffer frames = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    for (byte[] message : messages) {
      frames.putInt(message.length).put(message);
    }
    return frames.array();
  }

  private static PlanResponse answer(PlanRequest request) throws IOException {
    Served served = serve(frames(request.toByteArray()), RequestLimits.defaults().bytes());
    assertThat(served.broken()).isEmpty();
    assertThat(served.responses()).hasSize(1);
    return served.responses().get(0);
  }

  private static PlanResponse answer(Consumer<PlanRequestOptions.Builder> options)
      throws IOException {
    PlanRequest.Builder request = PlanRequest.newBuilder().setId(5).setProgram(BYTES);
    options.accept(request.getOptionsBuilder());
    return answer(request.build());
  }

  private static PlanRequest.Builder buffers(Buffer.Builder... buffers) {
    PlanRequest.Builder request = PlanRequest.newBuilder().setId(6);
    BufferList.Builder list = BufferList.newBuilder();
    for (Buffer.Builder buffer : buffers) {
      list.addBuffers(buffer);
    }
    return request.setBuffers(list);
  }

  private static Buffer.Builder buffer(String id, long lower, long upper, long size) {
    return Buffer.newBuilder().setId(id).setLower(lower).setUpper(upper).setSize(size);
  }

  private static final Program OPEN =
      ProgramText.parse(
          """
          version 2004000
          block 0
            var x: fp32[-1, -1]
            var y: fp32[64]
            var z: fp32[1000]
            var a: fp32[-1, -1]
            var b: fp32[64]
            var c: fp32[1000]
            var s: fp32[1]
            var t: fp32[1]
            var u: fp32[1]
            feed x
            feed y
            feed z
            a = tanh(x)
            b = tanh(y)
            s = mean(a)
            t = mean(b)
            c = tanh(z)
            u = mean(c)
            fetch(s)
            fetch(t)
            fetch(u)
          """);

  @Test
  void severalRequests_areAnsweredInOrder_whateverIsBetweenThem() throws IOException {
    byte[] plan = PlanRequest.newBuilder().setId(1).setProgram(BYTES).build().toByteArray();
    byte[] bad = PlanRequest.newBuilder().setId(2).build().toByteArray();
    byte[] damaged = {8};
    byte[] rewrite =
        PlanRequest.newBuilder().setId(-1).setProgram(BYTES).setRewrite(true).build().toByteArray();
    byte[] empty = {};

    Served served =
        serve(frames(plan, bad, damaged, rewrite, empty, plan), RequestLimits.defaults().bytes());

    assertThat(served.broken()).isEmpty();
    assertThat(served.responses().stream().map(PlanResponse::getId).toList())
        .containsExactly(1L, 2L, 0L, -1L, 0L, 1L)
        .inOrder();
    assertThat(served.responses().stream().map(PlanResponse::getStatusValue).toList())
        .containsExactly(0, 3, 3, 0, 3, 0)
        .inOrder();
    assertThat(served.responses().get(5)).isEqualTo(served.responses().get(0));
  }

  @Test
  void aPlan_isTheOneOfTheLibrary() throws IOException {
    PlanResponse response = answer(options -> {});
    assertThat(response.getStatus()).isEqualTo(Status.STATUS_OK);
    assertThat(PlanReader.parse(response.getPlan().toByteArray(), "p"))
        .isEqualTo(Transpiler.plan(PROGRAM, TranspileOptions.defaults()).plan());
    assertThat(response.getRewrittenProgram()).isEqualTo(ByteString.EMPTY);
    assertThat(response.hasOffsets()).isFalse();
  }

  @Test
  void aRewrite_isTheOneOfTheLibrary() throws IOException {
    TranspileResult expected = Transpiler.transpile(PROGRAM, TranspileOptions.defaults());
    PlanResponse response =
        answer(PlanRequest.newBuilder().setProgram(BYTES).setRewrite(true).build());
    assertThat(response.getPlan().toByteArray())
        .isEqualTo(PlanWriter.toBytes(expected.plan(), PlanFormat.BINARY));
    Program rewritten = ProgramReader.parse(response.getRewrittenProgram().toByteArray(), "r");
    assertThat(rewritten.toMessage()).isEqualTo(expected.program().toMessage());
    assertThat(rewritten.variableCount()).isLessThan(PROGRAM.variableCount());
  }

  @Test
  void aRewrite_namesTheSharedNamesAndTheBytesSaved() throws IOException {
    TranspileResult expected = Transpiler.transpile(PROGRAM, TranspileOptions.defaults());
    PlanResponse response =
        answer(PlanRequest.newBuilder().setProgram(BYTES).setRewrite(true).build());
    assertThat(response.getSharing().getBytesBefore()).isEqualTo(expected.bytesBefore());
    assertThat(response.getSharing().getBytesAfter()).isEqualTo(expected.sharing().bytesAfter());
    assertThat(response.getSharing().getBytesAfter()).isLessThan(expected.bytesBefore());
    Map<VariableId, VariableId> renamings = new LinkedHashMap<>();
    for (Renaming renaming : response.getSharing().getRenamingsList()) {
      renamings.put(
          new VariableId(renaming.getBlockIdx(), renaming.getVariable()),
          new VariableId(renaming.getBlockIdx(), renaming.getNewName()));
    }
    assertThat(renamings).isEqualTo(expected.sharing().renamings());
    assertThat(renamings).isNotEmpty();
    assertThat(answer(options -> {}).hasSharing()).isFalse();
  }

  @Test
  void aProgramInText_isReadToo() throws IOException {
    byte[] text = ProgramWriter.toBytes(PROGRAM, ProgramFormat.TEXT, new DiagnosticLog());
    PlanResponse response =
        answer(PlanRequest.newBuilder().setId(5).setProgram(ByteString.copyFrom(text)).build());
    assertThat(response).isEqualTo(answer(options -> {}));
  }

  @Test
  void anOnnxModel_comesBackWithItsPlan() throws IOException {
    byte[] model = Files.readAllBytes(Path.of("testdata", "onnx", "if_nested", "model.textproto"));
    PlanRequest.Builder request =
        PlanRequest.newBuilder().setId(5).setProgram(ByteString.copyFrom(model));
    PlanResponse plan = answer(request.build());
    assertWithMessage("%s", plan).that(plan.getStatus()).isEqualTo(Status.STATUS_OK);
    assertThat(plan.getPlan().getAllocationsCount()).isGreaterThan(0);
    PlanResponse rewritten = answer(request.setRewrite(true).build());
    assertThat(rewritten.getPlan()).isEqualTo(plan.getPlan());
    ModelProto annotated = ModelProto.parseFrom(rewritten.getRewrittenProgram());
    assertThat(annotated.getMetadataPropsCount()).isGreaterThan(0);
    assertThat(annotated.hasGraph()).isTrue();
    assertThat(rewritten.hasSharing()).isFalse();
  }

  @Test
  void allOptions_reachThePlan() throws IOException {
    PlanResponse batch = answer(options -> options.setBatch(8).setAlignment(4096));
    assertThat(batch.getPlan().getBatch()).isEqualTo(8);
    assertThat(batch.getPlan().getArenas(0).getAlignment()).isEqualTo(4096);
    PlanResponse shape =
        answer(
            options ->
                options.putShapes("x", Extents.newBuilder().addDims(2).addDims(256).build()));
    assertThat(shape.getPlan().getAllocationsList().stream().mapToLong(a -> a.getBytes()).max())
        .isEqualTo(java.util.OptionalLong.of(2048));
    assertThat(answer(options -> options.setOrder("parallel")).getPlan().getOrder())
        .isEqualTo("parallel");
    assertThat(answer(options -> options.setPlanner("greedy-size")).getPlan().getPlanner())
        .isEqualTo("greedy-size");
    PlanResponse pools =
        answer(
            options ->
                options
                    .addPools(MemoryPool.newBuilder().setName("sram").setCapacity(2048))
                    .addPools(MemoryPool.newBuilder().setName("dram")));
    assertThat(pools.getPlan().getArenas(0).getPool()).isEqualTo("sram");
    assertThat(
            answer(
                    options ->
                        options
                            .setLoops("unroll")
                            .setViews("all")
                            .setPlace("gpu")
                            .setBufferOrder("area")
                            .setEffort("high")
                            .setGap("0.5%")
                            .setNodes(0)
                            .setTimeoutMs(1000)
                            .setNoInPlace(true)
                            .setReuseFeeds(true)
                            .setHierarchical(true)
                            .addFetch("a")
                            .addKeep("b"))
                .getStatus())
        .isEqualTo(Status.STATUS_OK);
    PlanRequest.Builder rewrite = PlanRequest.newBuilder().setProgram(BYTES).setRewrite(true);
    rewrite
        .getOptionsBuilder()
        .setPolicy("pool")
        .setLevel("exact")
        .setRelease(true)
        .setStripDebug(true);
    Program released =
        ProgramReader.parse(answer(rewrite.build()).getRewrittenProgram().toByteArray(), "r");
    assertThat(released.operationCount()).isGreaterThan(PROGRAM.operationCount());
    rewrite.setId(6).getOptionsBuilder().setFusion("safe");
    assertBad(rewrite, 2, "options.fusion 'safe' and options.release exclude each other");
  }

  /** In small runs {@code c} takes the name of {@code b}, in large ones that of {@code a}. */
  @Test
  void typicalShapes_chooseNames() throws IOException {
    PlanRequest.Builder request =
        PlanRequest.newBuilder()
            .setProgram(ByteString.copyFrom(OPEN.toMessage().toByteArray()))
            .setRewrite(true);
    request.getOptionsBuilder().putTypical("x", extents(2, 8));
    String small = rewritten(request);
    request.getOptionsBuilder().putTypical("x", extents(200, 800));
    String large = rewritten(request);
    assertThat(small).contains("b = tanh(z)");
    assertThat(large).contains("a = tanh(z)");
    request.setId(6).getOptionsBuilder().putTypical("no", extents(2, 8));
    assertBad(request, 2, "--typical names 'no', which is not a feed of the program");
    request.getOptionsBuilder().clearTypical().putTypical("x", extents(2, 0));
    assertBad(request, 2, "options.typical of 'x' is [2, 0]; extents are whole numbers from 1");
  }

  @Test
  void withoutTypicalShapes_theAssumedOnesAreNoted() throws IOException {
    PlanRequest.Builder request =
        PlanRequest.newBuilder()
            .setProgram(ByteString.copyFrom(OPEN.toMessage().toByteArray()))
            .setRewrite(true);
    assertThat(answer(request.build()).getDiagnosticsList().toString())
        .contains("names are chosen for x=1,256");
  }

  private static String rewritten(PlanRequest.Builder request) throws IOException {
    PlanResponse response = answer(request.build());
    assertWithMessage("%s", response).that(response.getStatus()).isEqualTo(Status.STATUS_OK);
    return ProgramText.print(
        ProgramReader.parse(response.getRewrittenProgram().toByteArray(), "rewritten"));
  }

  private static Extents extents(long... dims) {
    return Extents.newBuilder().addAllDims(Longs.asList(dims)).build();
  }

  @Test
  void aliases_areOneBuffer() throws IOException {
    byte[] model =
        Files.readAllBytes(Path.of("testdata", "onnx", "cache_scatter", "model.textproto"));
    PlanRequest.Builder request = PlanRequest.newBuilder().setProgram(ByteString.copyFrom(model));
    request.getOptionsBuilder().putAlias("past.*", "present.*");

    PlanResponse response = answer(request.build());

    assertThat(response.getStatus()).isEqualTo(Status.STATUS_OK);
    Map<String, Long> offsets = new HashMap<>();
    response
        .getPlan()
        .getAllocationsList()
        .forEach(a -> offsets.put(a.getVariable(), a.getOffset()));
    for (String name : List.of("0.key", "0.value")) {
      assertThat(offsets).containsKey("past." + name);
      assertThat(offsets.get("past." + name)).isEqualTo(offsets.get("present." + name));
    }
  }

  @Test
  void aliasThatIsNone_isABadOption() throws IOException {
    assertRefused(
        options -> options.putAlias("x*", "d"),
        "options.alias: 'x*=d' needs one * in each name, or none, such as past.*=present.*");
    assertRefused(
        options -> options.putAlias("nothing*", "new*"),
        "--alias nothing*=new* fits no feed; the feeds are: x");
  }

  @Test
  void anOnnxModel_obeysNothingThatRewrites() throws IOException {
    byte[] model = Files.readAllBytes(Path.of("testdata", "onnx", "if_nested", "model.textproto"));
    PlanRequest.Builder request =
        PlanRequest.newBuilder().setId(6).setProgram(ByteString.copyFrom(model)).setRewrite(true);
    request.getOptionsBuilder().setRelease(true);
    assertBad(
        request,
        2,
        "options.release is for programs that are rewritten, but the request has an ONNX model");
    request.getOptionsBuilder().clear().setLoops("unroll");
    assertBad(request, 2, "options.loops 'unroll' is for programs that are rewritten");
    request.getOptionsBuilder().setLoops("copy");
    assertThat(answer(request.build()).getStatus()).isEqualTo(Status.STATUS_OK);
  }

  @Test
  void aWrongOption_saysWhich() throws IOException {
    assertRefused(options -> options.setPlanner("worst"), "options.planner is 'worst', which is");
    assertRefused(
        options -> options.setLoops("Copy"),
        "options.loops is 'Copy', which is none of copy, multiview, smallest, unroll");
    assertRefused(
        options -> options.setAlignment(-1),
        "options.alignment is -1; it must be from 1 to 1073741824");
    assertRefused(options -> options.setAlignment(1L << 31), "options.alignment is 2147483648; ");
    assertRefused(options -> options.setCapacity(-1), "options.capacity is -1; ");
    assertRefused(options -> options.setBatch(-1), "options.batch is -1; ");
    assertRefused(options -> options.setNodes(-1), "options.nodes is -1; ");
    assertRefused(
        options -> options.setNodes(40_000_001),
        "options.nodes is 40000001; a request may have at most 40000000 (--max-nodes)");
    assertRefused(
        options -> options.setEffort("all"),
        "options.effort is 'all', which is none of low, normal, high, max");
    assertRefused(
        options -> options.setEffort("max"),
        "options.effort 'max' allows a search 100000000 nodes; a request may have at most 40000000"
            + " (--max-nodes)");
    assertRefused(
        options -> options.setGap("-1%"), "options.gap: '-1%' is not a percentage; write a number");
    assertRefused(
        options -> options.setTimeoutMs(60_001),
        "options.timeout_ms is 60001; a request may have at most 60000 (--max-time)");
    assertRefused(options -> options.setTimeoutMs(-1), "options.timeout_ms is -1; ");
    assertRefused(
        options -> options.setHierarchical(true).setOrder("parallel"),
        "options.hierarchical and options.order parallel exclude");
    assertRefused(
        options -> options.putShapes("x", Extents.newBuilder().addDims(0).build()),
        "options.shapes of 'x' is [0]; extents");
    assertRefused(
        options -> options.putShapes("x", Extents.getDefaultInstance()),
        "options.shapes of 'x' is []; extents");
    assertRefused(
        options -> options.putShapes("no", Extents.newBuilder().addDims(1).build()),
        "--shape names 'no', which is not a feed");
    assertRefused(
        options -> options.putLod("x", Sequences.getDefaultInstance()),
        "options.lod of 'x' is []; a level");
    assertRefused(
        options ->
            options.putLod(
                "x",
                Sequences.newBuilder()
                    .addLevels(Extents.newBuilder().addDims(0).addDims(2).addDims(1))
                    .build()),
        "options.lod of 'x' is [[0, 2, 1]]; a level");
    assertRefused(options -> options.addFetch("no"), "");
    assertRefused(
        options -> options.addPools(MemoryPool.getDefaultInstance()),
        "options.pools[0]: the name is empty");
    assertRefused(
        options ->
            options
                .addPools(MemoryPool.newBuilder().setName("a"))
                .addPools(MemoryPool.newBuilder().setName("b")),
        "options.pools 'a' has no size; ");
    assertRefused(
        options -> options.addPools(MemoryPool.newBuilder().setName("a")).setCapacity(9),
        "options.capacity and options.pools exclude");
    assertRefused(
        options -> options.addPools(MemoryPool.newBuilder().setName("a").setCapacity(-1)),
        "options.pools[0]: capacity is -1; ");
    assertRefused(
        options ->
            options
                .addPools(MemoryPool.newBuilder().setName("a").setCapacity(8))
                .addPools(MemoryPool.newBuilder().setName("a").setCapacity(9)),
        "options.pools names 'a' twice");
    assertRefused(
        options -> options.setTimeoutMs(Long.MAX_VALUE),
        "options.timeout_ms is 9223372036854775807; a request may have at most 60000");
    assertRefused(
        options -> options.setPolicy("pool"), "options.policy is for requests with rewrite set");
    assertRefused(
        options -> options.setRelease(true), "options.release is for requests with rewrite set");
    assertRefused(
        options -> options.putTypical("x", Extents.newBuilder().addDims(8).build()),
        "options.typical is for requests with rewrite set");
  }

  private static void assertRefused(Consumer<PlanRequestOptions.Builder> options, String message)
      throws IOException {
    PlanResponse response = answer(options);
    assertWithMessage("%s", response)
        .that(response.getStatus())
        .isEqualTo(Status.STATUS_BAD_OPTION);
    assertThat(response.getId()).isEqualTo(5);
    assertThat(response.hasPlan()).isFalse();
    assertThat(response.getDiagnostics(0).getSeverity()).isEqualTo(Severity.SEVERITY_ERROR);
    assertThat(response.getDiagnostics(0).getMessage()).startsWith(message);
  }

  @Test
  void whatDoesNotFit_isInfeasible() throws IOException {
    PlanResponse response = answer(options -> options.setCapacity(64));
    assertThat(response.getStatus()).isEqualTo(Status.STATUS_INFEASIBLE);
    assertThat(response.hasPlan()).isFalse();
  }

  @Test
  void whatTheCatalogDoesNotKnow_isUnsupportedIfStrict_elseANote() throws IOException {
    Program program =
        ProgramText.parse(CHAIN.replace("c = fused_feedforward(b, b)", "c = no_such_operator(b)"));
    PlanRequest.Builder request =
        PlanRequest.newBuilder().setProgram(ByteString.copyFrom(program.toMessage().toByteArray()));
    PlanResponse lenient = answer(request.build());
    assertThat(lenient.getStatus()).isEqualTo(Status.STATUS_OK);
    assertThat(lenient.getDiagnostics(0).getSeverity()).isEqualTo(Severity.SEVERITY_NOTE);
    request.getOptionsBuilder().setStrict(true);
    PlanResponse strict = answer(request.build());
    assertThat(strict.getStatus()).isEqualTo(Status.STATUS_UNSUPPORTED);
    assertThat(strict.getDiagnostics(0).getOpType()).isEqualTo("no_such_operator");
    assertThat(strict.getDiagnostics(0).getBlockIdx()).isEqualTo(0);
    assertThat(strict.getDiagnostics(0).getOpIndex()).isEqualTo(3);
    assertThat(strict.getDiagnostics(0).getPlace()).isEqualTo("block 0, op 3 (no_such_operator)");
  }

  @Test
  void badPrograms_areUnreadable() throws IOException {
    for (ByteString bad :
        List.of(
            ByteString.EMPTY,
            BYTES.substring(0, BYTES.size() / 2),
            ByteString.copyFromUtf8("no program"),
            ByteString.copyFromUtf8("{\"point_numbering\": 1}"))) {
      PlanResponse response = answer(PlanRequest.newBuilder().setId(9).setProgram(bad).build());
      assertThat(response.getStatus()).isEqualTo(Status.STATUS_UNREADABLE);
      assertThat(response.getId()).isEqualTo(9);
      assertThat(response.getDiagnostics(0).getPlace()).startsWith("program");
    }
  }

  @Test
  void unknownFields_areRefused() throws IOException {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    PlanRequest.Builder request = PlanRequest.newBuilder().setId(3).setProgram(BYTES);
    request.getOptionsBuilder().setUnknownFields(unknown);
    PlanResponse response = answer(request.build());
    assertThat(response.getStatus()).isEqualTo(Status.STATUS_UNREADABLE);
    assertThat(response.getId()).isEqualTo(3);
    assertThat(response.getDiagnostics(0).getMessage())
        .isEqualTo(
            "not a PlanRequest, or one of a newer version: it holds unknown fields in options");
  }

  @Test
  void buffers_getOffsets() throws IOException {
    PlanResponse response =
        answer(
            buffers(
                    buffer("a", 0, 4, 64).setAlignment(32),
                    buffer("b", 0, 2, 100).setOffset(0),
                    buffer("c", 2, 4, 100)
                        .addGaps(BufferGap.newBuilder().setLower(2).setUpper(3))
                        .addGaps(
                            BufferGap.newBuilder().setLower(3).setUpper(4).setLow(1).setHigh(9)))
                .build());
    assertThat(response.getStatus()).isEqualTo(Status.STATUS_OK);
    assertThat(response.getId()).isEqualTo(6);
    assertThat(response.hasPlan()).isFalse();
    assertThat(response.getOffsets().getOffsetsCount()).isEqualTo(3);
    assertThat(response.getOffsets().getOffsets(0) % 32).isEqualTo(0);
    assertThat(response.getOffsets().getOffsets(1)).isEqualTo(0);
    assertThat(response.getOffsets().getArenaBytes()).isEqualTo(192);
    assertThat(answer(buffers().build()).getOffsets().getArenaBytes()).isEqualTo(0);
  }

  /** Six buffers that first fit places in 2,200 bytes, and a search in 2,000. */
  @Test
  void effortAndGap_areThoseOfTheSearch() throws IOException {
    PlanRequest.Builder request =
        buffers(
            buffer("a", 0, 1, 200),
            buffer("b", 2, 3, 500),
            buffer("c", 2, 5, 400),
            buffer("d", 0, 3, 300),
            buffer("e", 3, 6, 700),
            buffer("f", 2, 5, 800));
    request.getOptionsBuilder().setPlanner("search");
    assertThat(answer(request.build()).getOffsets().getArenaBytes()).isEqualTo(2000);
    request.getOptionsBuilder().setEffort("low");
    assertThat(answer(request.build()).getOffsets().getArenaBytes()).isEqualTo(2200);
    request.getOptionsBuilder().setEffort("high").setGap("9.9%");
    assertThat(answer(request.build()).getOffsets().getArenaBytes()).isEqualTo(2000);
    request.getOptionsBuilder().setGap("10");
    assertThat(answer(request.build()).getOffsets().getArenaBytes()).isEqualTo(2200);
  }

  @Test
  void badBuffers_areUnreadable() throws IOException {
    assertBad(buffers(buffer("", 0, 1, 1)), 3, "2:1: the id is empty");
    assertBad(buffers(buffer("a,b", 0, 1, 1)), 3, "the id of buffer 0 holds a comma");
    assertBad(buffers(buffer("a", 0, 1, 1), buffer("\n", 0, 1, 1)), 3, "the id of buffer 1 holds");
    assertBad(buffers(buffer("a", 0, 1, 1), buffer("a", 0, 1, 1)), 3, "3:1: the id 'a' is also");
    assertBad(buffers(buffer("a", 1, 1, 1)), 3, "2:5: the row ends before it begins");
    assertBad(buffers(buffer("a", -1, 1, 1)), 3, "2:3: ");
    assertBad(buffers(buffer("a", 0, 1, 0)), 3, "2:7: ");
    assertBad(buffers(buffer("a", 0, 1, 1).setAlignment(-4)), 3, "2:9: ");
    assertBad(buffers(buffer("a", 0, 1, 1).setOffset(-4)), 3, "2:10: ");
    assertBad(buffers(buffer("a", 0, 1, 1).addGaps(BufferGap.getDefaultInstance())), 3, "2:11: ");
    assertBad(buffers(buffer("a", 0, 1, 1)).setRewrite(true), 2, "rewrite is for programs");
    PlanRequest.Builder fetch = buffers(buffer("a", 0, 1, 1));
    fetch.getOptionsBuilder().addFetch("x");
    assertBad(fetch, 2, "options.fetch is for programs, but the request has buffers");
    PlanRequest.Builder small = buffers(buffer("a", 0, 1, 100));
    small.getOptionsBuilder().setCapacity(10);
    assertBad(small, 5, "");
  }

  private static void assertBad(PlanRequest.Builder request, int status, String message)
      throws IOException {
    PlanResponse response = answer(request.build());
    assertWithMessage("%s", response).that(response.getStatusValue()).isEqualTo(status);
    assertThat(response.getId()).isEqualTo(6);
    assertThat(response.getDiagnostics(0).getMessage()).startsWith(message);
    assertThat(response.hasOffsets()).isFalse();
  }

  @Test
  void aFrameThatIsTooLong_orCutOff_isTheLast() throws IOException {
    byte[] good = frames(PlanRequest.newBuilder().setId(1).setProgram(BYTES).build().toByteArray());
    assertLast(
        good,
        new byte[] {0, 0, 0, 16},
        "a request of 268,435,456 bytes (256.00 MiB), but at most 268,435,455");
    assertLast(
        good,
        new byte[] {-1, -1, -1, -1},
        "a request of 4,294,967,295 bytes (4.00 GiB), but at most");
    assertLast(good, new byte[] {1, 0, 0}, "standard input ends within the length of a request");
    assertLast(good, new byte[] {9, 0, 0, 0, 1}, "standard input ends after 1 of 9 bytes");
  }

  private static void assertLast(byte[] good, byte[] bad, String message) throws IOException {
    byte[] input = Arrays.copyOf(good, good.length + bad.length + good.length);
    System.arraycopy(bad, 0, input, good.length, bad.length);
    boolean cut = bad[bad.length - 1] == 1 || bad.length == 3;
    Served served =
        serve(cut ? Arrays.copyOf(input, good.length + bad.length) : input, (256 << 20) - 1);
    assertThat(served.responses()).hasSize(2);
    assertThat(served.responses().get(0).getStatus()).isEqualTo(Status.STATUS_OK);
    PlanResponse last = served.responses().get(1);
    assertThat(last.getStatus()).isEqualTo(Status.STATUS_UNREADABLE);
    assertThat(last.getId()).isEqualTo(0);
    assertThat(last.getDiagnostics(0).getMessage()).startsWith(message);
    assertThat(served.broken().orElseThrow().exitCode()).isEqualTo(3);
  }

  @Test
  void aBugOrALimit_isAResponse_andTheNextRequestIsAnswered() throws IOException {
    List<Throwable> bugs =
        new ArrayList<>(
            List.of(
                new IllegalStateException("a bug"),
                new AssertionError("another"),
                new StackOverflowError(),
                new OutOfMemoryError("Java heap space")));
    PlanService service =
        new PlanService(RequestLimits.defaults()) {
          @Override
          dev.sublet.codec.request.PlanResponse respond(
              dev.sublet.codec.request.PlanRequest request) {
            if (bugs.isEmpty()) {
              return super.respond(request);
            }
            Throwable bug = bugs.remove(0);
            if (bug instanceof Error error) {
              throw error;
            }
            throw (RuntimeException) bug;
          }
        };
    byte[] request = PlanRequest.newBuilder().setId(4).setProgram(BYTES).build().toByteArray();

    Served served =
        serve(
            frames(request, request, request, request, request),
            RequestLimits.defaults().bytes(),
            service);

    List<Status> statuses = new ArrayList<>();
    for (PlanResponse response : served.responses().subList(0, 4)) {
      statuses.add(response.getStatus());
      assertThat(response.getId()).isEqualTo(4);
      assertThat(response.getDiagnostics(0).getMessage()).isNotEmpty();
    }
    assertThat(statuses)
        .containsExactly(
            Status.STATUS_INTERNAL,
            Status.STATUS_INTERNAL,
            Status.STATUS_UNSUPPORTED,
            Status.STATUS_UNSUPPORTED)
        .inOrder();
    assertThat(served.responses().get(0).getDiagnostics(0).getMessage())
        .startsWith(
            "internal error; this is a bug in Sublet: java.lang.IllegalStateException: a bug at ");
    assertThat(served.responses().get(4).getStatus()).isEqualTo(Status.STATUS_OK);
  }

  @Test
  void aRequestForWhichThereIsNoRoom_isSkipped() throws IOException {
    byte[] large = new byte[1_000_000];
    byte[] good = PlanRequest.newBuilder().setId(4).setProgram(BYTES).build().toByteArray();
    Served served =
        serve(
            runsOutOfMemory(frames(large, good), 10_000),
            1 << 20,
            new PlanService(RequestLimits.defaults()));

    assertThat(served.broken()).isEmpty();
    assertThat(served.responses()).hasSize(2);
    assertThat(served.responses().get(0).getStatus()).isEqualTo(Status.STATUS_UNSUPPORTED);
    assertThat(served.responses().get(0).getId()).isEqualTo(0);
    assertThat(served.responses().get(1).getId()).isEqualTo(4);
    assertThat(served.responses().get(1).getStatus()).isEqualTo(Status.STATUS_OK);

    byte[] cut = Arrays.copyOf(frames(large), 100_000);
    Served last =
        serve(runsOutOfMemory(cut, 10_000), 1 << 20, new PlanService(RequestLimits.defaults()));
    assertThat(last.broken().orElseThrow())
        .hasMessageThat()
        .isEqualTo(
            "standard input ends after 99,996 (97.65 KiB) of 1,000,000 bytes (976.56 KiB) of a"
                + " request");
  }

  /** As if there were no memory any more once so many bytes have been read. */
  private static InputStream runsOutOfMemory(byte[] bytes, int after) {
    return new ByteArrayInputStream(bytes) {
      private boolean hasRunOut;

      @Override
      public synchronized int read(byte[] target, int offset, int length) {
        if (pos > after && !hasRunOut) {
          hasRunOut = true;
          throw new OutOfMemoryError("Java heap space");
        }
        return super.read(target, offset, length);
      }
    };
  }

  /** Damaged requests never end the stream, and never get anything but a proper answer. */
  @Test
  void damagedRequests_areAnswered() throws IOException {
    PlanRequest.Builder request =
        PlanRequest.newBuilder().setId(1).setProgram(BYTES).setRewrite(true);
    request.getOptionsBuilder().setPlanner("greedy-size").setAlignment(16).addKeep("b");
    byte[] good = request.build().toByteArray();
    Random random = new Random(8);
    int refused = 0;
    for (int round = 0; round < 400; round++) {
      byte[] bad =
          random.nextInt(4) == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
      for (int i = 0; i < 3 && bad.length > 0; i++) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      Served served = serve(frames(bad, good), RequestLimits.defaults().bytes());
      assertThat(served.responses()).hasSize(2);
      PlanResponse response = served.responses().get(0);
      assertWithMessage("round %s: %s", round, response)
          .that(response.getStatus())
          .isNoneOf(Status.STATUS_INTERNAL, Status.UNRECOGNIZED);
      assertThat(served.responses().get(1).getStatus()).isEqualTo(Status.STATUS_OK);
      refused += response.getStatus() == Status.STATUS_OK ? 0 : 1;
    }
    assertThat(refused).isAtLeast(200);
  }

  @Test
  void statuses_areTheExitCodes() throws InvalidProtocolBufferException {
    for (dev.sublet.diag.Diagnostic.Kind kind : dev.sublet.diag.Diagnostic.Kind.values()) {
      assertThat(Status.forNumber(kind.exitCode())).isNotNull();
    }
  }
}
