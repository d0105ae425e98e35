// What stands around the stages: headlines, scales, the curve of live bytes, operators and loops.

class Surroundings {
  constructor(painter) {
    this.painter = painter;
    this.model = painter.model;
    this.view = painter.view;
    this.context = painter.context;
  }

  get theme() {
    return this.painter.theme;
  }

  // Headline, frame and scale of a stage.
  drawFrame(s) {
    const {view, context, theme} = this;
    const stage = this.model.stages[s];
    const panel = view.panels[s];
    this.headline(s === 0 ? 'Before' : 'After', exactBytes(stage.bytesOnce) + stepBytes(stage), panel.top);
    context.fillStyle = theme.soft;
    context.textAlign = 'right';
    const meaning = fitting(stage.held ? 'own bytes for each; hatched or pale: held, but dead' : 'the plan', (view.plot - 330) / CHARACTER);
    context.fillText(meaning, LEFT + view.plot, panel.top - 7);
    const step = powerOfTwo(30 / view.scale);
    const single = stage.arenas.length === 1;
    for (const arena of stage.arenas) {
      for (let at = 0; at <= arena.bytes; at += step) {
        const y = view.y(s, arena.base + at);
        if (y < panel.top - 1) {
          break;
        }
        if (y <= panel.top + panel.height + 1) {
          context.fillStyle = theme.faint;
          context.fillRect(LEFT - 4, Math.round(y) - 0.5, 4, 1);
          context.fillStyle = theme.soft;
          context.fillText(shortBytes(at), LEFT - 7, y + 4);
        } else {
          at += Math.floor((view.byteAt(s, panel.top + panel.height) - arena.base - at) / step) * step;
        }
      }
    }
    context.textAlign = 'left';
    if (!single) {
      this.nameArenas(s);
    }
    context.strokeStyle = theme.faint;
    context.lineWidth = 1;
    context.strokeRect(LEFT - 0.5, Math.round(panel.top) - 0.5, view.plot + 1, Math.round(panel.height) + 1);
  }

  nameArenas(s) {
    const {view, context, theme} = this;
    const panel = view.panels[s];
    for (const arena of this.model.stages[s].arenas) {
      const y = view.y(s, arena.base + arena.bytes);
      if (y >= panel.top - 2 && y < panel.top + panel.height - 14) {
        const text = arena.label + ': ' + shortBytes(arena.bytes);
        context.fillStyle = theme.paper;
        context.globalAlpha = 0.8;
        context.fillRect(LEFT + view.plot - text.length * CHARACTER - 10, y + 1, text.length * CHARACTER + 8, 15);
        context.globalAlpha = 1;
        context.fillStyle = theme.soft;
        context.fillText(text, LEFT + view.plot - text.length * CHARACTER - 5, y + 12);
      }
    }
  }

  headline(title, words, top) {
    const {context, theme} = this;
    context.font = '600 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
    context.fillStyle = theme.ink;
    context.fillText(title, LEFT, top - 7);
    context.font = SMALL_FONT;
    context.fillText(words, LEFT + 56, top - 7);
  }

  drawCurve() {
    const {view, context, theme, model} = this;
    const stage = model.stages[1];
    const peak = peakOf(model);
    const most = Math.max(1, stage.lowerBound, peak < 0 ? 0 : model.liveBytes[peak]);
    const bottom = view.curveTop + CURVE;
    const perByte = CURVE / most;
    const bound = stage.lowerBound > 0 ? '   – – lower bound ' + shortBytes(stage.lowerBound) : '';
    const at = peak < 0 ? '' : 'at most ' + shortBytes(model.liveBytes[peak]) + ' at ' + describePoint(model, model.livePoints[peak]);
    this.headline('Live', fitting(at + bound, (view.plot - 60) / CHARACTER), view.curveTop);
    context.save();
    context.beginPath();
    context.rect(LEFT, view.curveTop - 8, view.plot, CURVE + 9);
    context.clip();
    context.beginPath();
    context.moveTo(LEFT, bottom);
    for (const {x, bytes} of columns(model, view)) {
      context.lineTo(x, bottom - bytes.last * perByte);
      context.lineTo(x, bottom - bytes.now * perByte);
    }
    context.lineTo(LEFT + view.plot, bottom);
    context.closePath();
    context.fillStyle = theme.accent;
    context.globalAlpha = 0.22;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.2;
    context.stroke();
    if (stage.lowerBound > 0) {
      context.strokeStyle = theme.warn;
      context.setLineDash([5, 3]);
      context.beginPath();
      context.moveTo(LEFT, bottom - stage.lowerBound * perByte);
      context.lineTo(LEFT + view.plot, bottom - stage.lowerBound * perByte);
      context.stroke();
      context.setLineDash([]);
    }
    if (peak >= 0) {
      const x = view.x(model.livePoints[peak]);
      const y = bottom - model.liveBytes[peak] * perByte;
      context.fillStyle = theme.warn;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x - 5, y - 8);
      context.lineTo(x + 5, y - 8);
      context.fill();
    }
    context.restore();
    context.fillStyle = theme.soft;
    context.textAlign = 'right';
    context.fillText(shortBytes(most), LEFT - 7, view.curveTop + 6);
    context.fillText('0 B', LEFT - 7, bottom + 1);
    context.textAlign = 'left';
    context.fillStyle = theme.faint;
    context.fillRect(LEFT, bottom, view.plot, 1);
  }

  drawAxis(state) {
    const {view, context, model} = this;
    const perStep = view.perPoint * model.pointsPerStep;
    context.save();
    context.beginPath();
    context.rect(LEFT - 20, view.axisTop, view.plot + 30, view.height);
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
      if (model.pointsPerStep > 1) {
        context.fillText(fitting(model.stepLabel(i), most), x, view.axisTop + 29);
      }
    }
  }

  drawSpans() {
    const {view, context, theme, model} = this;
    context.save();
    context.beginPath();
    context.rect(LEFT, view.axisTop, view.plot, view.height);
    context.clip();
    for (const span of model.spans) {
      const x = view.x(span.head * model.pointsPerStep);
      const width = Math.max(1, view.x((span.exit + 1) * model.pointsPerStep) - x);
      if (span.depth < view.spanRows && x < LEFT + view.plot && x + width > LEFT) {
        const top = view.axisTop + view.labels + 4 + span.depth * SPAN_ROW;
        context.fillStyle = span.isLoop ? theme.loop : theme.branch;
        context.globalAlpha = 0.28;
        context.fillRect(x, top, width, SPAN_ROW - 3);
        context.globalAlpha = 1;
        const from = Math.max(LEFT, x) + 4;
        const room = Math.min(LEFT + view.plot, x + width) - from;
        context.fillStyle = theme.ink;
        context.fillText(fitting(spanWords(span), room / CHARACTER), from, top + 9.5);
      }
    }
    context.restore();
  }

  // A line through everything at the time of the pointer.
  drawPointer(state) {
    const {view, context, theme} = this;
    if (state.point >= 0) {
      const x = Math.round(view.x(state.point)) + 0.5;
      if (x >= LEFT && x <= LEFT + view.plot) {
        context.strokeStyle = theme.ink;
        context.globalAlpha = 0.35;
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(x, view.panels[0].top);
        context.lineTo(x, view.axisTop + 4);
        context.stroke();
        context.globalAlpha = 1;
      }
    }
  }
}

// The curve over the visible time: of the changes in one pixel only the lowest and highest.
function columns(model, view) {
  const result = [];
  const points = model.livePoints;
  let i = Math.max(0, upperBound(points, view.t0) - 1);
  let last = i < points.length ? model.liveBytes[i] : 0;
  result.push({x: LEFT, bytes: {last, now: last}});
  for (i++; i < points.length && points[i] <= view.t1; i++) {
    const x = view.x(points[i]);
    const previous = result[result.length - 1];
    if (result.length > 2 && x - previous.x < 0.5) {
      previous.bytes = {last: Math.max(previous.bytes.last, model.liveBytes[i]), now: model.liveBytes[i]};
    } else {
      result.push({x, bytes: {last, now: model.liveBytes[i]}});
    }
    last = model.liveBytes[i];
  }
  result.push({x: LEFT + view.plot, bytes: {last, now: last}});
  return result;
}

// How many of some ascending numbers are not above one.
function upperBound(numbers, value) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The index of the earliest of the points with the most live bytes, or -1 if nothing is ever live.
function peakOf(model) {
  let peak = model.livePoints.length ? 0 : -1;
  for (let i = 1; i < model.livePoints.length; i++) {
    if (model.liveBytes[i] > model.liveBytes[peak]) {
      peak = i;
    }
  }
  return peak >= 0 && model.liveBytes[peak] > 0 ? peak : -1;
}

function spanWords(span) {
  return (span.isLoop ? 'loop' : 'branch') + ', block ' + span.block + ' (' + span.label + ')';
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
