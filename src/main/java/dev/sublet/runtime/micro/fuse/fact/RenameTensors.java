package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;

/**
 * Gives tensors other names, wherever a nest mentions them: with {@code x → t}, {@code y[i0] =
 * x[i0] + d(x, 0)} becomes {@code y[i0] = t[i0] + d(t, 0)}.
 */
public final class RenameTensors extends Rewriter {

  private final ImmutableMap<String, String> names;

  /** Creates a rewriter; tensors that are not among the keys keep their names. */
  public RenameTensors(ImmutableMap<String, String> names) {
    this.names = names;
  }

  private String name(String tensor) {
    return names.getOrDefault(tensor, tensor);
  }

  @Override
  public IndexExpression leaf(IndexExpression leaf) {
    return leaf instanceof AxisSize size ? new AxisSize(name(size.tensor()), size.axis()) : leaf;
  }

  @Override
  public IndexExpression element(Element element) {
    return new Element(name(element.tensor()), element.at());
  }

  @Override
  public Expression load(Expression.Load load) {
    return new Expression.Load(target(load.access()), load.outside());
  }

  @Override
  public Access target(Access target) {
    return new Access(name(target.tensor()), target.at(), target.checked());
  }
}
