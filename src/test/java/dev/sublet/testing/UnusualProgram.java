package dev.sublet.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import dev.sublet.proto.Version;

/** A small program, {@code b = relu(a); c = relu(b)}, and parts that make it unusual. */
public final class UnusualProgram {

  /** Not UTF-8: a lone continuation byte, and Latin-1. */
  public static final ByteString BYTES_NAME = ByteString.fromHex("80c37a");

  private UnusualProgram() {}

  /** The program without those parts. */
  public static ProgramDesc.Builder plain() {
    BlockDesc.Builder block = BlockDesc.newBuilder().setIdx(0).setParentIdx(-1);
    block.addVars(tensor("a")).addVars(tensor("b")).addVars(tensor("c"));
    block.addOps(relu("a", "b")).addOps(relu("b", "c"));
    return ProgramDesc.newBuilder()
        .addBlocks(block)
        .setVersion(Version.newBuilder().setVersion(2005001));
  }

  /** A declaration of a tensor. */
  public static VarDesc tensor(String name) {
    VarType.TensorDesc shape =
        VarType.TensorDesc.newBuilder()
            .setDataType(VarType.Type.FP32)
            .addDims(-1)
            .addDims(3)
            .build();
    VarType type =
        VarType.newBuilder()
            .setType(VarType.Type.LOD_TENSOR)
            .setLodTensor(VarType.LoDTensorDesc.newBuilder().setTensor(shape))
            .build();
    return VarDesc.newBuilder().setName(name).setType(type).build();
  }

  /** An operator {@code to = relu(from)}. */
  public static OpDesc relu(String from, String to) {
    return OpDesc.newBuilder()
        .setType("relu")
        .addInputs(OpDesc.Var.newBuilder().setParameter("X").addArguments(from))
        .addOutputs(OpDesc.Var.newBuilder().setParameter("Out").addArguments(to))
        .build();
  }

  /** The program with its variable {@code c} called {@link #BYTES_NAME}. */
  public static ProgramDesc withBytesName() {
    ProgramDesc.Builder program = plain();
    BlockDesc.Builder block = program.getBlocksBuilder(0);
    block.getVarsBuilder(2).setNameBytes(BYTES_NAME);
    block.getOpsBuilder(1).getOutputsBuilder(0).clearArguments().addArgumentsBytes(BYTES_NAME);
    return program.build();
  }

  /** The program with fields that no schema has, in messages at every depth. */
  public static ProgramDesc withUnknownFields() {
    ProgramDesc.Builder program = plain();
    BlockDesc.Builder block = program.getBlocksBuilder(0);
    program.setUnknownFields(unknown(1000));
    block.setUnknownFields(unknown(19));
    block.getOpsBuilder(0).setUnknownFields(unknown(6));
    block.getOpsBuilder(0).getInputsBuilder(0).setUnknownFields(unknown(3));
    block.getVarsBuilder(1).getTypeBuilder().getLodTensorBuilder().setUnknownFields(unknown(77));
    return program.build();
  }

  /** One field of each wire type, a group and a repeated one included. */
  private static UnknownFieldSet unknown(int number) {
    UnknownFieldSet inner =
        UnknownFieldSet.newBuilder()
            .addField(1, UnknownFieldSet.Field.newBuilder().addVarint(-1).build())
            .build();
    UnknownFieldSet.Field field =
        UnknownFieldSet.Field.newBuilder()
            .addVarint(300)
            .addVarint(0)
            .addFixed32(7)
            .addFixed64(8)
            .addLengthDelimited(ByteString.copyFromUtf8("later"))
            .addGroup(inner)
            .build();
    return UnknownFieldSet.newBuilder().addField(number, field).build();
  }
}
