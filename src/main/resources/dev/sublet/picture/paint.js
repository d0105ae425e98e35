// Draws the view on the canvas. Up to MOST_SHAPES boxes and pieces of them are drawn as shapes with
// borders, hatches and names; more are drawn pixel by pixel, see pixels.js.

const MOST_SHAPES = 4000;
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
    this.surroundings = new Surroundings(this);
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
    this.surroundings.drawCurve();
    this.surroundings.drawAxis(state);
    this.surroundings.drawPointer(state);
  }

  drawStage(s, state) {
    const {view, context} = this;
    const stage = this.model.stages[s];
    const panel = view.panels[s];
    const low = view.lowest[s];
    const high = low + panel.height / view.scale;
    const visible = this.visible[s];
    let count = 0;
    let shapes = 0;
    boxesIn(stage, view.t0, view.t1, low, high, b => {
      visible[count++] = b;
      const first = pieceBehind(stage, b, view.t0);
      shapes += 1 + Math.max(0, pieceBehind(stage, b, view.t1) - first);
    });
    const shown = visible.subarray(0, count);
    // Whatever order the index has: the plan's order decides what lies above.
    context.save();
    context.beginPath();
    context.rect(LEFT, panel.top, view.plot, panel.height);
    context.clip();
    this.drawArenas(s);
    if (shapes <= MOST_SHAPES) {
      shown.sort();
      this.drawShapes(s, shown, state);
    } else {
      paintPixels(this, s, shown, state);
    }
    this.drawSpanEdges(panel);
    this.drawOutlines(s, state);
    context.restore();
    this.surroundings.drawFrame(s);
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
      piecesIn(stage, b, view.t0, view.t1, p => this.drawPiece(s, b, p, top, height, theme));
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
    piecesIn(stage, b, view.t0, view.t1, p => {
      const x = view.x(stage.begin[p]);
      context.strokeRect(x, top, Math.max(2, view.x(stage.end[p]) - x), height);
    });
  }
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
