package dev.sublet.operator.paddle.activation;

import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;
import static dev.sublet.operator.spec.InPlaceVersions.ELEMENTWISE_GENERATED;
import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.spec.InPlaceVersions.MACRO_GENERATED;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8_GENERATED;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8_UNTIL_2_4;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_2_2_GENERATED;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.paddle.elementwise.ElementShapes;
import dev.sublet.operator.paddle.shape.WindowShapes;
import dev.sublet.operator.spec.CatalogBuilder;

/**
 * Catalog entries for functions of one value (activations, powers, rounding) and softmax.
 *
 * <p>Each element of a function's output depends on one element of the input, so most of these
 * operators can work in place. An element of a softmax depends on all elements along the axis. The
 * listings of versions are those of Paddle's in-place inferers.
 */
public final class ActivationOperators {

  private ActivationOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    catalog.addFamily(ElementwiseShapes::likeX, ActivationOperators::addRectifiers);
    catalog.addFamily(ElementwiseShapes::likeX, ActivationOperators::addSigmoids);
    catalog.addFamily(ElementwiseShapes::likeX, ActivationOperators::addExponentialsAndLogarithms);
    catalog.addFamily(ElementwiseShapes::likeX, ActivationOperators::addPowers);
    catalog.addFamily(ElementwiseShapes::likeX, ActivationOperators::addTrigonometry);
    catalog.addFamily(ElementwiseShapes::likeX, ActivationOperators::addSpecialFunctions);
    catalog.addFamily(ElementwiseShapes::likeX, ActivationOperators::addRounding);
    catalog.addFamily(ElementwiseShapes::likeX, ActivationOperators::addSoftmax);
  }

  private static void addRectifiers(CatalogBuilder catalog) {
    catalog.addAllWithGradients("selu");
    catalog.add("mish").replacesLod("Out").inPlace(DEFINITION).withGradient().replacesLod("X@GRAD");
    catalog.add("prelu").inPlace(DEFINITION).withGradient();
    catalog.add("maxout").shape(WindowShapes::maxout).withGradient();
    catalog
        .add("brelu")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("celu")
        .inPlace("2.3,2.4,definition")
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace("2.3,2.4,yaml,definition")
        .withGradient()
        .inPlace("DDX", "DDOut", "2.3,2.4,definition");
    catalog
        .add("elu")
        .replacesLod("Out")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8_UNTIL_2_4 + "," + DEFINITION);
    catalog.add("hard_shrink").withGradient().replacesLod("X@GRAD").inPlace(MACRO_GENERATED);
    catalog
        .add("hard_sigmoid")
        .replacesLod("Out")
        .inPlace("2.2m," + DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("hard_swish")
        .replacesLod("Out")
        .inPlace(DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("leaky_relu")
        .replacesLod("Out")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8_UNTIL_2_4 + "," + DEFINITION);
    catalog
        .add("relu")
        .replacesLod("Out")
        .shape(ElementwiseShapes::likeX)
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8_UNTIL_2_4 + "," + DEFINITION);
    catalog
        .add("relu6")
        .replacesLod("Out")
        .inPlace("2.2m," + DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog.add("softshrink").withGradient().replacesLod("X@GRAD").inPlace(MACRO_GENERATED);
    catalog
        .add("thresholded_relu")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
  }

  private static void addSigmoids(CatalogBuilder catalog) {
    catalog.addAllWithGradients("gelu");
    catalog.add("logit").inPlace(ELEMENTWISE_GENERATED).withGradient().replacesLod("X@GRAD");
    catalog.add("logsigmoid").withGradient().replacesLod("X@GRAD").inPlace(MACRO_GENERATED);
    catalog
        .add("sigmoid")
        .replacesLod("Out")
        .inPlace(SINCE_2_2_GENERATED + "," + DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_2_2_GENERATED + "," + DEFINITION)
        .withGradient()
        .inPlace("DDX", "DDOut", "2.2,2.3,2.4,definition");
    catalog.add("sigmoid_triple_grad").inPlace("DDX", "D_DOut", "2.3,2.4,definition");
    catalog
        .add("silu")
        .replacesLod("Out")
        .inPlace(DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("soft_relu")
        .inPlace("2.2m,definition")
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace("2.2m,definition");
    catalog
        .add("softplus")
        .replacesLod("Out")
        .inPlace(DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("softsign")
        .replacesLod("Out")
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog.add("stanh").withGradient().replacesLod("X@GRAD").inPlace("2.2m,definition");
    catalog
        .add("swish")
        .replacesLod("Out")
        .inPlace(DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("tanh")
        .replacesLod("Out")
        .inPlace(SINCE_2_2_GENERATED + "," + DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_2_2_GENERATED + "," + DEFINITION)
        .withGradient()
        .inPlace("DDX", "DDOut", "2.2,2.3,2.4,definition");
    catalog.add("tanh_triple_grad").inPlace("DDX", "D_DOut", "2.3,2.4,definition");
    catalog.add("tanh_shrink").withGradient().replacesLod("X@GRAD").inPlace(MACRO_GENERATED);
  }

  private static void addExponentialsAndLogarithms(CatalogBuilder catalog) {
    catalog
        .add("exp")
        .replacesLod("Out")
        .inPlace("1.8,2.0,2.2,2.3,yaml")
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace("1.8,2.0,2.2,2.3,yaml");
    catalog
        .add("expm1")
        .inPlace("2.2,yaml,definition")
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace("2.2,yaml,definition");
    catalog
        .add("log")
        .replacesLod("Out")
        .inPlace("2.0,2.2,2.3,2.4,yaml")
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace("2.0,2.2,2.3,2.4,yaml")
        .withGradient()
        .inPlace("DDX", "DDOut", "2.0,2.2,2.3,2.4,definition");
    catalog
        .add("log10")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("log1p")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("log2")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
  }

  private static void addPowers(CatalogBuilder catalog) {
    catalog
        .add("pow")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_1_8_GENERATED);
    catalog
        .add("reciprocal")
        .inPlace(MACRO_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("rsqrt")
        .inPlace("2.0,2.2,2.3,2.4,yaml")
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace("2.0,2.2,2.3,2.4,yaml")
        .withGradient()
        .inPlace("DDX", "DDOut", "2.0,2.2,2.3,2.4,definition");
    catalog
        .add("sqrt")
        .replacesLod("Out")
        .shape(ElementShapes.map("sqrt", Math::sqrt))
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8_UNTIL_2_4 + "," + DEFINITION);
    catalog
        .add("square")
        .replacesLod("Out")
        .shape(ElementShapes.map("square", x -> x * x))
        .inPlace(SINCE_1_8_UNTIL_2_4 + "," + DEFINITION)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8_UNTIL_2_4 + "," + DEFINITION);
  }

  private static void addTrigonometry(CatalogBuilder catalog) {
    catalog
        .add("acos")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("acosh")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("asin")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("asinh")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("atan")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("atanh")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("cos")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("cosh")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("sin")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("sinh")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
    catalog
        .add("tan")
        .inPlace(ELEMENTWISE_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(MACRO_GENERATED);
  }

  private static void addSpecialFunctions(CatalogBuilder catalog) {
    catalog.addAllWithGradients("i0e", "i1", "i1e");
    catalog.add("digamma").inPlace(ELEMENTWISE_GENERATED).withGradient().replacesLod("X@GRAD");
    catalog.add("erf").inPlace(ELEMENTWISE_GENERATED).withGradient().replacesLod("X@GRAD");
    catalog.add("erfinv").inPlace("2.3,yaml,definition").withGradient();
    catalog.add("gammaln").inPlace("x", "out", GENERATED_ONLY).withGradient();
    catalog.add("i0").inPlace("x", "out", GENERATED_ONLY).withGradient();
    catalog.add("lgamma").inPlace(ELEMENTWISE_GENERATED).withGradient().replacesLod("X@GRAD");
    catalog.add("polygamma").inPlace("x", "out", GENERATED_ONLY).withGradient();
  }

  private static void addRounding(CatalogBuilder catalog) {
    catalog.addAll("abs_double_grad", "sign");
    catalog
        .add("abs")
        .shape(ElementShapes.map("abs", Math::abs))
        .inPlace("1.8,2.0,yaml,definition")
        .withGradient()
        .inPlace("1.8,2.0,definition")
        .withGradient()
        .inPlace("DDX", "DDOut", "2.0");
    catalog
        .add("ceil")
        .shape(ElementShapes.map("ceil", Math::ceil))
        .inPlace(MACRO_GENERATED)
        .withGradient()
        .inPlace(MACRO_GENERATED);
    catalog
        .add("floor")
        .shape(ElementShapes.map("floor", Math::floor))
        .inPlace(MACRO_GENERATED)
        .withGradient()
        .inPlace(MACRO_GENERATED);
    catalog
        .add("round")
        .shape(ElementShapes.map("round", ElementShapes::round))
        .inPlace(MACRO_GENERATED)
        .withGradient()
        .inPlace(MACRO_GENERATED);
    catalog.add("trunc").inPlace(ELEMENTWISE_GENERATED).withGradient();
  }

  private static void addSoftmax(CatalogBuilder catalog) {
    catalog.add("log_softmax").inPlace(DEFINITION).withGradient();
    catalog
        .add("softmax")
        .replacesLod("Out")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace("Out", "X@GRAD", "1.8 CUDA");
  }
}
