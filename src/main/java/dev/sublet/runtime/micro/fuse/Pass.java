package dev.sublet.runtime.micro.fuse;

import dev.sublet.runtime.micro.ir.MicroProgram;

/** One rewrite of programs. */
public interface Pass {

  /**
   * Returns a program that computes the same outputs, bit for bit, in every run in which the given
   * program does not fail. Returns the given program itself if there is nothing to rewrite.
   */
  MicroProgram apply(MicroProgram program);
}
