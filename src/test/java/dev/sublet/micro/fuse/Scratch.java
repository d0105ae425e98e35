package dev.sublet.micro.fuse;
import dev.sublet.micro.ir.*;
final class Scratch {
  public static void main(String[] a) {
    MicroProgram[] all = {Networks.matmul(), Networks.convolution(), Networks.convolutionWithParameters(), Networks.softmax(), Networks.layerNorm(), Networks.batchNorm(), Networks.meanSquaredError()};
    for (MicroProgram p : all) {
      long t = System.nanoTime();
      Simplified s = SimplifyProgram.simplify(p);
      System.out.println(s.program());
      System.out.println(s.blocksBefore() + " -> " + s.blocksAfter() + " " + s.refusals() + " " + (System.nanoTime() - t) / 1000 + " us");
    }
  }
}
