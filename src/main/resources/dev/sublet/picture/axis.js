// The time below the stages: operators or times, and the bodies of loops and branches.

class Axis {
  constructor(painter) {
    this.painter = painter;
    this.model = painter.model;
    this.view = painter.view;
    this.context = painter.context;
  }

  get theme() {
    return this.painter.theme;
  }

  drawAxis(state) {
    const {view, context, model} = this;
    const perStep = view.perPoint * model.pointsPerStep;
    context.save();
    context.beginPath();
    context.rect(view.left - 20, view.axisTop, view.plot + 30, view.height);
    context.clip();
    const first = Math.max(0, Math.floor(view.t0 / model.pointsPerStep));
    const last = Math.min(model.stepCount, Math.ceil(view.t1 / model.pointsPerStep));
    if (view.isNamed) {
      this.drawOperators(first, last, perStep, state);
    } else {
      this.drawTicks(first, last, perStep);
    }
    context.restore();
    this.drawSpans();
    this.drawTitle();
  }

  drawOperators(first, last, perStep, state) {
    const {view, context, theme, model} = this;
    const most = (view.labels - 12) / CHARACTER;
    context.textAlign = 'right';
    for (let i = first; i < last; i++) {
      const x = view.x((i + 0.5) * model.pointsPerStep);
      const flags = model.stepFlags[i];
      context.save();
      context.translate(x + 4, view.axisTop + 7);
      context.rotate(-Math.PI / 2);
      context.fillStyle = flags & 14 ? theme.gone : state.step === i || this.isLive(i, state) ? theme.ink : theme.soft;
      context.globalAlpha = state.selected >= 0 && !this.isLive(i, state) ? 0.5 : 1;
      const text = (flags & 1 ? 'end of ' : '') + model.stepLabel(i);
      context.fillText(fitting(text, most), 0, 0);
      context.restore();
    }
    context.textAlign = 'left';
  }

  // Whether the selected variable is live at a step.
  isLive(step, state) {
    const stage = this.model.stages[0];
    const begin = step * this.model.pointsPerStep;
    return state.selected >= 0 && [...stage.boxesOf(state.selected)].some(b =>
        pieceAt(stage, b, begin) >= 0 || pieceAt(stage, b, begin + this.model.pointsPerStep - 1) >= 0);
  }

  drawTicks(first, last, perStep) {
    const {view, context, theme, model} = this;
    const step = roundNumber(70 / perStep);
    for (let i = Math.ceil(first / step) * step; i < last; i += step) {
      const x = view.x(i * model.pointsPerStep);
      context.fillStyle = theme.faint;
      context.fillRect(Math.round(x), view.axisTop, 1, 5);
      context.fillStyle = theme.soft;
      const text = model.pointsPerStep === 1 ? model.stepLabel(i) : '#' + i;
      const most = Math.min(10, (view.width - x) / CHARACTER);
      context.fillText(fitting(text, most), x, view.axisTop + 16);
      if (model.hasOperators) {
        context.fillText(fitting(model.stepLabel(i), most), x, view.axisTop + 29);
      }
    }
  }

  drawSpans() {
    const {view, context, theme, model} = this;
    context.save();
    context.beginPath();
    context.rect(view.left, view.axisTop, view.plot, view.height);
    context.clip();
    for (const span of model.spans) {
      const x = view.x(span.head * model.pointsPerStep);
      const width = Math.max(1, view.x((span.exit + 1) * model.pointsPerStep) - x);
      if (span.depth < view.spanRows && x < view.left + view.plot && x + width > view.left) {
        const top = view.axisTop + view.labels + 4 + span.depth * SPAN_ROW;
        context.fillStyle = span.isLoop ? theme.loop : theme.branch;
        context.globalAlpha = 0.28;
        context.fillRect(x, top, width, SPAN_ROW - 3);
        context.globalAlpha = 1;
        const from = Math.max(view.left, x) + 4;
        const room = Math.min(view.left + view.plot, x + width) - from;
        context.fillStyle = theme.ink;
        context.fillText(fitting(spanWords(span), room / CHARACTER), from, top + 9.5);
      }
    }
    context.restore();
  }

  // What the axis counts.
  drawTitle() {
    const {view, context, theme, model} = this;
    context.fillStyle = theme.soft;
    context.textAlign = 'right';
    const words = model.pointsPerStep === 1 ? 'time →' : view.plot < 420 ? 'operators →' : 'operators, in the order of the program →';
    context.fillText(words, view.left + view.plot, view.axisTop + view.labels + view.spanRows * SPAN_ROW + AXIS_TITLE - 3);
    context.textAlign = 'left';
  }
}

function spanWords(span) {
  return (span.isLoop ? 'loop' : 'branch') + ', block ' + span.block + ' (' + span.label + ')';
}

