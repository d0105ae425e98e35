// Draws the view on the canvas. Up to MOST_SHAPES boxes are drawn as shapes with borders, hatches
// and names; more are drawn pixel by pixel, where a box takes at least one pixel, so that a frame
// costs the pixels of the canvas and one look at each visible box.

const MOST_SHAPES = 3000;
const COLOR_COUNT = 12;
const SMALL_FONT = '11px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const CHARACTER = 6.65;

class Painter {
  constructor(canvas, model, view) {
    this.canvas = canvas;
    this.model = model;
    this.view = view;
    this.context = canvas.getContext('2d');
    this.visible = [new Int32Array(0), new Int32Array(0)].map((_, s) => new Int32Array(model.stages[s].count));
    this.labels = new Map();
    this.readTheme();
  }

  // Colors are those of the style sheet.
  readTheme() {
    const style = getComputedStyle(document.documentElement);
    this.theme = {};
    for (const name of ['paper', 'ink', 'soft', 'faint', 'line', 'free', 'accent', 'warn', 'gone', 'loop', 'branch', 'name']) {
      this.theme[name] = style.getPropertyValue('--' + name).trim();
    }
    const probe = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    probe.setAttribute('class', 'sublet');
    document.body.appendChild(probe);
    this.colors = [];
    for (let i = 0; i < COLOR_COUNT; i++) {
      const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      rect.setAttribute('class', 'c' + i);
      probe.appendChild(rect);
      this.colors.push(parseColor(getComputedStyle(rect).fill));
    }
    probe.remove();
    this.paper = parseColor(this.theme.paper.startsWith('#') ? fromHex(this.theme.paper) : this.theme.paper);
    this.free = parseColor(this.theme.free.startsWith('#') ? fromHex(this.theme.free) : this.theme.free);
    this.hatch = this.makeHatch();
  }

  makeHatch() {
    const tile = document.createElement('canvas');
    tile.width = tile.height = 6;
    const c = tile.getContext('2d');
    c.strokeStyle = this.theme.soft;
    c.globalAlpha = 0.4;
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(-1, 7);
    c.lineTo(7, -1);
    c.moveTo(-1, 1);
    c.lineTo(1, -1);
    c.moveTo(5, 7);
    c.lineTo(7, 5);
    c.stroke();
    return this.context.createPattern(tile, 'repeat');
  }

  colorOf(variable) {
    return this.model.holder[variable] % COLOR_COUNT;
  }

  // Draws a frame. state: the selected variable and what belongs to it, what the pointer is on.
  draw(state) {
    const ratio = window.devicePixelRatio || 1;
    const {view, context, canvas} = this;
    const width = Math.round(view.width * ratio);
    const height = Math.round(view.height * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    this.ratio = ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.theme.paper;
    context.fillRect(0, 0, view.width, view.height);
    context.font = SMALL_FONT;
    context.textBaseline = 'alphabetic';
    for (let s = 0; s < 2; s++) {
      this.drawStage(s, state);
    }
    this.drawCurve();
    this.drawAxis(state);
    this.drawPointer(state);
  }

  drawStage(s, state) {
    const {view, context} = this;
    const stage = this.model.stages[s];
    const panel = view.panels[s];
    const low = view.lowest[s];
    const high = low + panel.height / view.scale;
    const visible = this.visible[s];
    let count = 0;
    boxesIn(stage, view.t0, view.t1, low, high, b => {
      visible[count++] = b;
    });
    const shown = visible.subarray(0, count);
    // Whatever order the index has: the plan's order decides what lies above.
    context.save();
    context.beginPath();
    context.rect(LEFT, panel.top, view.plot, panel.height);
    context.clip();
    this.drawArenas(s);
    if (count <= MOST_SHAPES) {
      shown.sort();
      this.drawShapes(s, shown, state);
    } else {
      this.drawPixels(s, shown, state);
    }
    this.drawSpanEdges(panel);
    this.drawOutlines(s, state);
    context.restore();
    this.drawFrame(s);
  }

  drawArenas(s) {
    const {view, context} = this;
    const stage = this.model.stages[s];
    context.fillStyle = this.theme.free;
    const x = view.x(0);
    for (const arena of stage.arenas) {
      const top = view.y(s, arena.base + arena.bytes);
      context.fillRect(x, top, view.x(this.model.endPoint) - x, view.y(s, arena.base) - top);
    }
  }

  drawShapes(s, shown, state) {
    const {view, context, theme} = this;
    const stage = this.model.stages[s];
    const right = view.x(this.model.endPoint);
    for (const b of shown) {
      const variable = stage.variable[b];
      const color = cssColor(this.colors[this.colorOf(variable)]);
      const top = view.y(s, stage.high[b]);
      const height = Math.max(0.5, stage.bytes[b] * view.scale);
      const dim = state.selected >= 0 && !state.related.has(variable);
      context.fillStyle = color;
      if (stage.held) {
        const x = view.x(stage.from[b]);
        context.globalAlpha = dim ? 0.1 : 0.25;
        context.fillRect(x, top, right - x, height);
        context.globalAlpha = dim ? 0.4 : 1;
        context.fillStyle = this.hatch;
        context.fillRect(x, top, right - x, height);
        context.fillStyle = color;
      }
      context.globalAlpha = dim ? 0.3 : 1;
      for (let p = stage.firstPiece[b]; p < stage.firstPiece[b + 1]; p++) {
        this.drawPiece(s, b, p, top, height, theme);
      }
      context.globalAlpha = 1;
    }
    for (const b of shown) {
      this.drawName(s, b, state);
    }
  }

  drawPiece(s, b, p, top, height, theme) {
    const {view, context} = this;
    const stage = this.model.stages[s];
    const x = view.x(stage.begin[p]);
    const width = Math.max(0.5, view.x(stage.end[p]) - x);
    const window = stage.windows.get(p);
    const y = window ? view.y(s, stage.low[b] + window.high) : top;
    const h = window ? Math.max(0.5, (window.high - window.low) * view.scale) : height;
    context.fillRect(x, y, width, h);
    if (h >= 3 && width >= 3) {
      const moves = stage.views.has(b);
      context.strokeStyle = moves ? theme.ink : theme.paper;
      context.lineWidth = moves ? 1 : 0.8;
      context.setLineDash(moves ? [4, 3] : []);
      context.strokeRect(x + 0.5, y + 0.5, width - 1, h - 1);
      context.setLineDash([]);
    }
  }

  // The name, from where the box can first be seen.
  drawName(s, b, state) {
    const {view, context} = this;
    const stage = this.model.stages[s];
    const height = stage.bytes[b] * view.scale;
    if (height < 12 || (state.selected >= 0 && !state.related.has(stage.variable[b]))) {
      return;
    }
    const p = stage.firstPiece[b];
    const end = stage.held ? stage.to[b] : stage.end[p];
    const x = Math.max(LEFT, view.x(stage.from[b])) + 4;
    const room = Math.min(LEFT + view.plot, view.x(end)) - x - 3;
    const top = Math.max(view.panels[s].top, view.y(s, stage.high[b]));
    const bottom = Math.min(view.panels[s].top + view.panels[s].height, view.y(s, stage.low[b]));
    const text = bottom - top < 11 ? '' : fitting(this.labelOf(s, b), room / CHARACTER);
    if (text) {
      context.fillStyle = this.theme.name;
      context.fillText(text, x, (top + bottom) / 2 + 4);
    }
  }

  // What a box is called: after a rewrite by who is in it.
  labelOf(s, b) {
    const stage = this.model.stages[s];
    const variable = stage.variable[b];
    if (s === 0 || this.model.members(variable).length < 2) {
      return this.model.name(variable);
    }
    let label = this.labels.get(b);
    if (label === undefined) {
      const tenants = tenantsOf(this.model, b);
      label = this.model.name(tenants[0]) + (tenants.length > 1 ? ' +' + (tenants.length - 1) : '');
      this.labels.set(b, label);
    }
    return label;
  }

  drawPixels(s, shown, state) {
    const {view, ratio} = this;
    const panel = view.panels[s];
    const stage = this.model.stages[s];
    const x0 = Math.round(LEFT * ratio);
    const y0 = Math.round(panel.top * ratio);
    const width = Math.round(view.plot * ratio);
    const height = Math.round(panel.height * ratio);
    const image = this.context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(packed(this.free));
    const raster = {pixels, width, height, heldFrom: new Int32Array(height).fill(width)};
    const live = this.colors;
    const dimmed = this.colors.map(c => mixed(c, this.free, 0.3));
    const held = this.colors.map(c => packed(mixed(c, this.free, 0.28)));
    const perPoint = view.perPoint * ratio;
    const perByte = view.scale * ratio;
    const bottom = panel.height * ratio + view.lowest[s] * perByte;
    for (const b of shown) {
      const color = this.colorOf(stage.variable[b]);
      const isDim = state.selected >= 0 && !state.related.has(stage.variable[b]);
      const top = Math.max(0, Math.floor(bottom - stage.high[b] * perByte));
      const end = Math.min(height, Math.max(top + 1, Math.floor(bottom - stage.low[b] * perByte)));
      if (stage.held) {
        fillHeld(raster, Math.max(0, Math.floor((stage.from[b] - view.t0) * perPoint)), top, end, held[color]);
      }
      const share = Math.min(1, stage.bytes[b] * perByte);
      for (let p = stage.firstPiece[b]; p < stage.firstPiece[b + 1]; p++) {
        const left = Math.max(0, Math.floor((stage.begin[p] - view.t0) * perPoint));
        const right = Math.min(width, Math.max(left + 1, Math.floor((stage.end[p] - view.t0) * perPoint)));
        const part = share * Math.min(1, (stage.end[p] - stage.begin[p]) * perPoint);
        // Among held bytes a share of a pixel is no more than that; in free ones it must be seen.
        fillLive(raster, left, right, top, end, isDim ? dimmed[color] : live[color], stage.held ? part : Math.max(0.3, part));
      }
    }
    this.context.putImageData(image, x0, y0);
  }

  drawSpanEdges(panel) {
    const {view, context} = this;
    for (const span of this.model.spans) {
      if (span.depth < MOST_SPAN_ROWS) {
        context.fillStyle = span.isLoop ? this.theme.loop : this.theme.branch;
        context.globalAlpha = 0.45;
        for (const step of [span.head, span.exit + 1]) {
          const x = view.x(step * this.model.pointsPerStep);
          if (x >= LEFT && x <= LEFT + view.plot) {
            context.fillRect(Math.round(x), panel.top, 1, panel.height);
          }
        }
        context.globalAlpha = 1;
      }
    }
  }

  // Around the boxes of the selected variable, and thinly around the one under the pointer.
  drawOutlines(s, state) {
    const stage = this.model.stages[s];
    if (state.selected >= 0) {
      for (const b of stage.boxesOf(s === 0 ? state.selected : this.model.holder[state.selected])) {
        if (s === 0 || state.boxes.has(b)) {
          this.outline(s, b, 2.5);
        }
      }
    }
    if (state.hover && state.hover.stage === s && state.hover.box >= 0) {
      this.outline(s, state.hover.box, 1.2);
    }
  }

  outline(s, b, width) {
    const {view, context} = this;
    const stage = this.model.stages[s];
    context.strokeStyle = this.theme.ink;
    context.lineWidth = width;
    const top = view.y(s, stage.high[b]);
    const height = Math.max(2, view.y(s, stage.low[b]) - top);
    for (let p = stage.firstPiece[b]; p < stage.firstPiece[b + 1]; p++) {
      const x = view.x(stage.begin[p]);
      context.strokeRect(x, top, Math.max(2, view.x(stage.end[p]) - x), height);
    }
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
    if (model.pointsPerStep > 1 && perStep >= 11) {
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
      context.fillStyle = flags & 14 ? theme.gone : state.step === i ? theme.ink : theme.soft;
      const text = (flags & 1 ? 'end of ' : '') + model.stepLabel(i);
      context.fillText(fitting(text, most), 0, 0);
      context.restore();
    }
    context.textAlign = 'left';
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
      context.fillText(fitting(text, 10), x, view.axisTop + 16);
      if (model.pointsPerStep > 1 && view.labels > 40) {
        context.fillText(fitting(model.stepLabel(i), 10), x, view.axisTop + 29);
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

// Fills rows of held bytes from a pixel on. In a row that is held from further left nothing is to do,
// in one held from further right only what is left of that.
function fillHeld(raster, left, top, end, color) {
  for (let y = top; y < end; y++) {
    if (left < raster.heldFrom[y]) {
      const from = y * raster.width;
      raster.pixels.fill(color, from + left, from + raster.heldFrom[y]);
      raster.heldFrom[y] = left;
    }
  }
}

// Colors pixels, of which a part belongs to the box.
function fillLive(raster, left, right, top, end, color, part) {
  const {pixels, width} = raster;
  if (part >= 1) {
    for (let y = top; y < end; y++) {
      pixels.fill(packed(color), y * width + left, y * width + right);
    }
    return;
  }
  const [red, green, blue] = color;
  for (let y = top; y < end; y++) {
    for (let i = y * width + left; i < y * width + right; i++) {
      const old = pixels[i];
      const r = old & 255;
      const g = old >> 8 & 255;
      const b = old >> 16 & 255;
      // Rounded to the far side, so that many small parts add up.
      pixels[i] = (255 << 24 | toward(b, blue, part) << 16 | toward(g, green, part) << 8 | toward(r, red, part)) >>> 0;
    }
  }
}

function toward(from, to, part) {
  return to >= from ? Math.ceil(from + (to - from) * part) : Math.floor(from + (to - from) * part);
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

// The index of the earliest of the points with the most live bytes, or -1.
function peakOf(model) {
  let peak = model.livePoints.length ? 0 : -1;
  for (let i = 1; i < model.livePoints.length; i++) {
    if (model.liveBytes[i] > model.liveBytes[peak]) {
      peak = i;
    }
  }
  return peak;
}

function spanWords(span) {
  return (span.isLoop ? 'loop' : 'branch') + ', block ' + span.block + ' (' + span.label + ')';
}

function stepBytes(stage) {
  return stage.arenas.filter(a => a.isStep).map(a => ', and ' + shortBytes(a.bytes) + ' an iteration').join('');
}

// Words cut to a number of characters; empty if nothing that says anything fits.
function fitting(words, most) {
  if (words.length <= most) {
    return words;
  }
  return most < 4 ? '' : words.slice(0, Math.floor(most) - 1) + '…';
}

function parseColor(text) {
  return text.match(/[\d.]+/g).slice(0, 3).map(Number);
}

function fromHex(text) {
  return [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16)).join(' ');
}

function cssColor(color) {
  return 'rgb(' + color.join(',') + ')';
}

function mixed(color, other, share) {
  return color.map((c, i) => Math.round(c * share + other[i] * (1 - share)));
}

// A pixel of ImageData on a little-endian machine, as all that run browsers are.
function packed(color) {
  return (255 << 24 | color[2] << 16 | color[1] << 8 | color[0]) >>> 0;
}
