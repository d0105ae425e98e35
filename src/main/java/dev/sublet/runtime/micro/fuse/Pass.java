package dev.sublet.runtime.micro.fuse;

import dev.sublet.runtime.micro.ir.MicroProgram;

/** One rewrite of programs. */
public interface Pass {

  /**
   * A program that computes the same outputs, bit for bit, in every run in which the given one does
   * not fail. The given one itself if there is nothing to rewrite.
   */
  MicroProgram apply(MicroProgram program);
}
