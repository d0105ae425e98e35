// What stands around the stages: headlines, scales, grid, the silhouette before and the curve of live
// bytes.

class Surroundings {
  constructor(painter) {
    this.painter = painter;
    this.model = painter.model;
    this.view = painter.view;
    this.context = painter.context;
    this.axis = new Axis(painter);
  }

  get theme() {
    return this.painter.theme;
  }

  drawAxis(state) {
    this.axis.drawAxis(state);
  }

  // Headline, frame and scale of a stage.
  drawFrame(s) {
    const {view, context, theme} = this;
    const stage = this.model.stages[s];
    const panel = view.panels[s];
    const meaning = stage.held ? 'own bytes for each; hatched or pale: held, but dead' : '';
    this.headline(stageName(this.model, s), exactBytes(stage.bytesOnce) + stepBytes(stage), meaning, panel.top);
    context.textAlign = 'right';
    this.eachTick(s, (y, bytes, step) => {
      context.fillStyle = theme.faint;
      context.fillRect(view.left - 4, Math.round(y) - 0.5, 4, 1);
      context.fillStyle = theme.soft;
      // Long numbers are squeezed.
      context.fillText(markBytes(bytes, step), view.left - 7, y + 4, view.left - 9);
    });
    context.textAlign = 'left';
    if (stage.arenas.length !== 1) {
      this.nameArenas(s);
    }
    this.frame(panel);
  }

  frame(panel) {
    const {view, context} = this;
    context.strokeStyle = this.theme.faint;
    context.lineWidth = 1;
    context.strokeRect(view.left - 0.5, Math.round(panel.top) - 0.5, view.plot + 1, Math.round(panel.height) + 1);
  }

  // Calls visit(y, bytes, step) for the round numbers of bytes of each arena that can be seen, which are
  // one step apart.
  eachTick(s, visit) {
    const {view} = this;
    const panel = view.panels[s];
    const step = powerOfTwo(34 / view.scaleOf(s));
    for (const arena of this.model.stages[s].arenas) {
      const lowest = Math.max(0, Math.ceil((view.byteAt(s, panel.top + panel.height + 1) - arena.base) / step));
      for (let at = lowest * step; at <= arena.bytes; at += step) {
        const y = view.y(s, arena.base + at);
        if (y < panel.top - 1) {
          break;
        }
        visit(y, at, step);
      }
    }
  }

  // Thin lines over a stage at the round numbers of its axes.
  drawGrid(s) {
    const {view, context, theme, model} = this;
    const panel = view.panels[s];
    context.fillStyle = theme.ink;
    context.globalAlpha = 0.1;
    this.eachTick(s, y => context.fillRect(view.left, Math.round(y), view.plot, 1));
    const step = roundNumber(70 / (view.perPoint * model.pointsPerStep));
    for (let i = Math.ceil(view.t0 / model.pointsPerStep / step) * step; i * model.pointsPerStep <= view.t1; i += step) {
      context.fillRect(Math.round(view.x(i * model.pointsPerStep)), panel.top, 1, panel.height);
    }
    context.globalAlpha = 1;
  }

  nameArenas(s) {
    const {view, context, theme} = this;
    const panel = view.panels[s];
    let last = {y: Infinity, x: 0};
    for (const arena of this.model.stages[s].arenas) {
      const y = view.y(s, arena.base + arena.bytes);
      // Beside the label below if both are at one height.
      const right = last.y - y < 16 ? last.x : view.left + view.plot;
      const text = fitting(arena.label + ': ' + shortBytes(arena.bytes), (right - view.left) / CHARACTER - 2);
      if (text && y >= panel.top - 2 && y < panel.top + panel.height - 14) {
        const x = right - text.length * CHARACTER - 10;
        context.fillStyle = theme.paper;
        context.globalAlpha = 0.8;
        context.fillRect(x, y + 1, right - x - 2, 15);
        context.globalAlpha = 1;
        context.fillStyle = theme.soft;
        context.fillText(text, x + 5, y + 12);
        last = {y, x: x - 4};
      }
    }
  }

  // A title, what it says, and at the right what is meant, as far as there is room.
  headline(title, words, meaning, top) {
    const {view, context, theme} = this;
    context.textAlign = 'right';
    context.font = SMALL_FONT;
    context.fillStyle = theme.soft;
    context.fillText('bytes', view.left - 7, top - 7);
    context.textAlign = 'left';
    context.font = '600 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
    context.fillStyle = theme.ink;
    const shown = fittingWords(context, title, view.plot * 0.6);
    context.fillText(shown, view.left, top - 7);
    const from = context.measureText(shown).width + 10;
    context.font = SMALL_FONT;
    const text = fitting(words, (view.plot - from) / CHARACTER);
    context.fillText(text, view.left + from, top - 7);
    if ((text.length + meaning.length + 3) * CHARACTER + from < view.plot) {
      context.textAlign = 'right';
      context.fillStyle = theme.soft;
      context.fillText(meaning, view.left + view.plot, top - 7);
      context.textAlign = 'left';
    }
  }

  // The stage before as the sum of its bytes over time, with the size of the plan for comparison.
  drawSilhouette() {
    const {view, context, theme, model, painter} = this;
    const stage = model.stages[0];
    const panel = view.panels[0];
    const most = Math.max(1, stage.bytesOnce);
    const bottom = panel.top + panel.height;
    const y = bytes => bottom - bytes / most * (panel.height - 2);
    this.headline('Before', shortBytes(stage.bytesOnce) + stepBytes(stage), 'own bytes for each; click to open', panel.top);
    const back = painter.rgb('free');
    paintSteps(painter, 2, stage.heldPoints, stage.heldBytes, panel,
        {back, area: mixed(painter.rgb('faint'), back, 0.55), perPixel: most / (panel.height - 2)});
    const plan = Math.min(bottom - 1, Math.round(y(model.stages[1].bytesOnce)));
    context.fillStyle = theme.accent;
    context.fillRect(view.left, plan, view.plot, 1.5);
    context.fillText('the plan', view.left + 4, Math.max(panel.top + 11, plan - 3));
    this.nameEnds(most, panel.top + 9, bottom);
    this.frame(panel);
  }

  drawCurve() {
    const {view, context, theme, model, painter} = this;
    const stage = model.stages[1];
    const most = this.mostLive();
    const bottom = view.curveTop + CURVE;
    const y = bytes => bottom - bytes / most * (CURVE - MARKER);
    const bound = stage.lowerBound > 0 ? '– – lower bound ' + shortBytes(stage.lowerBound) : '';
    this.headline('Live bytes', model.comparison ? 'of ' + model.comparison.after : '', bound, view.curveTop);
    const [back, line] = [painter.rgb('paper'), painter.rgb('accent')];
    paintSteps(painter, 3, model.livePoints, model.liveBytes, {top: view.curveTop, height: CURVE},
        {back, area: mixed(line, back, 0.22), line, thick: 1.2, perPixel: most / (CURVE - MARKER)});
    if (stage.lowerBound > 0) {
      context.strokeStyle = theme.soft;
      context.lineWidth = 1.2;
      context.setLineDash([5, 3]);
      context.beginPath();
      context.moveTo(view.left, y(stage.lowerBound));
      context.lineTo(view.left + view.plot, y(stage.lowerBound));
      context.stroke();
      context.setLineDash([]);
    }
    this.nameEnds(most, view.curveTop + MARKER + 4, bottom);
    context.fillStyle = theme.faint;
    context.fillRect(view.left, bottom, view.plot, 1);
  }

  // The most bytes and none, beside the two ends of an axis.
  nameEnds(most, top, bottom) {
    const {view, context} = this;
    context.fillStyle = this.theme.soft;
    context.textAlign = 'right';
    context.fillText(tickBytes(most), view.left - 7, top);
    context.fillText('0 B', view.left - 7, bottom + 1);
    context.textAlign = 'left';
  }

  mostLive() {
    const {model} = this;
    return Math.max(1, model.stages[1].lowerBound, model.peak < 0 ? 0 : model.liveBytes[model.peak]);
  }
}

function stageName(model, s) {
  return model.comparison ? [model.comparison.before, model.comparison.after][s] : ['Before', 'The plan'][s];
}

function stepBytes(stage) {
  return stage.arenas.filter(a => a.isStep).map(a => ', and ' + shortBytes(a.bytes) + ' per iteration').join('');
}

// Words cut to a number of characters; empty if nothing that says anything fits.
function fitting(words, most) {
  if (words.length <= most) {
    return words;
  }
  return most < 4 ? '' : words.slice(0, Math.floor(most) - 1) + '…';
}
