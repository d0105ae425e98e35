package dev.sublet.operator.paddle.recurrent;

import dev.sublet.operator.spec.CatalogBuilder;

/**
 * Catalog entries for recurrent layers and their cells. Workspaces that only a training run fills
 * are may-writes.
 */
public final class RecurrentOperators {

  private RecurrentOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addRecurrentCells(catalog);
  }

  private static void addRecurrentCells(CatalogBuilder catalog) {
    catalog.add("lstm_unit").shape(RecurrentShapes::lstmUnit).withGradient();
    catalog
        .add("attention_lstm")
        .shape(RecurrentShapes::attentionLstm)
        .mayWrite("AttentionedX", "AttentionFCOut", "LSTMX", "LSTMOUT");
    catalog
        .add("cudnn_lstm")
        .shape(RecurrentShapes::cudnnLstm)
        .mayWrite("Reserve", "StateOut")
        .withGradient();
    catalog
        .add("gru")
        .replacesLod("Hidden")
        .shape(RecurrentShapes::gru)
        .mayWrite("BatchGate", "BatchResetHiddenPrev", "BatchHidden")
        .withGradient()
        .clearsLod()
        .needsOnlyShapeOf("Input", "Bias");
    catalog.add("gru_unit").shape(RecurrentShapes::gruUnit).withGradient().needsOnlyShapeOf("Bias");
    catalog
        .add("lstm")
        .replacesLod("Hidden", "Cell")
        .shape(RecurrentShapes::lstm)
        .mayWrite("BatchGate", "BatchCellPreAct")
        .withGradient()
        .clearsLod();
    catalog
        .add("lstmp")
        .shape(RecurrentShapes::lstmProjected)
        .mayWrite("BatchGate", "BatchCellPreAct", "BatchHidden")
        .withGradient();
    catalog
        .add("rnn")
        .shape(RecurrentShapes::rnn)
        .mayWrite("DropoutState", "Reserve")
        .withGradient();
  }
}
