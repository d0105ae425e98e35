// Draws the view on the canvas. Up to MOST_SHAPES boxes and pieces of them are drawn as shapes, the
// larger ones with borders, hatches and names; more are drawn pixel by pixel, see pixels.js.

const MOST_SHAPES = 1500;
const SMALLEST_BORDER = 6;
const NO_DASH = [];
const INKS = ['#0d1117', '#f6f8fa'];
const SMALL_FONT = '11px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const CHARACTER = 6.65;

class Painter {
  constructor(canvas, marks, model, view) {
    this.canvas = canvas;
    this.model = model;
    this.view = view;
    this.context = canvas.getContext('2d', {alpha: false});
    // What the canvas shows, and the number of changes that are not in the view.
    this.shown = '';
    this.changes = 0;
    this.visible = [new Int32Array(0), new Int32Array(0)].map((_, s) => new Int32Array(model.stages[s].count));
    // The names that the last frame has drawn, with their boxes, for tests.
    this.names = [];
    this.palette = new Colors(model);
    this.surroundings = new Surroundings(this);
    this.marks = new Marks(marks, this);
    // The pixels of the two stages, of the silhouette and of the curve.
    this.rasters = [null, null, null, null];
    this.readTheme();
  }

  // Colors are those of the style sheet.
  readTheme() {
    const style = getComputedStyle(document.documentElement);
    this.theme = {};
    for (const name of ['paper', 'ink', 'soft', 'faint', 'line', 'free', 'accent', 'warn', 'gone', 'loop', 'branch', 'mark']) {
      this.theme[name] = style.getPropertyValue('--' + name).trim();
    }
    this.palettes = {size: readColors(style, '--z', SIZES.length), other: readColors(style, '--f', OTHER + 1)};
    this.paper = this.rgb('paper');
    this.free = this.rgb('free');
    this.hatch = this.makeHatch();
    this.recolor();
  }

  // A color of the theme as three numbers.
  rgb(name) {
    const color = this.theme[name];
    return parseColor(color.startsWith('#') ? fromHex(color) : color);
  }

  // The colors of the SVG, which gives each name one of twelve.
  namePalette() {
    const probe = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    probe.setAttribute('class', 'sublet');
    document.body.appendChild(probe);
    const colors = [];
    for (let i = 0; i < NAMES; i++) {
      const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      rect.setAttribute('class', 'c' + i);
      probe.appendChild(rect);
      colors.push(parseColor(getComputedStyle(rect).fill));
    }
    probe.remove();
    return colors;
  }

  setMode(mode) {
    this.palette.setMode(mode);
    this.recolor();
  }

  // The color of each piece, anew.
  recolor() {
    if (this.palette.mode === 'name') {
      this.palettes.name = this.namePalette();
    }
    this.colors = this.palettes[this.palette.mode] || this.palettes.other;
    this.inks = this.colors.map(inkOn);
    this.css = this.colors.map(cssColor);
    this.forget();
    this.classes = this.model.stages.map(stage => {
      const classes = new Uint8Array(stage.begin.length);
      for (let b = 0; b < stage.count; b++) {
        for (let p = stage.firstPiece[b]; p < stage.firstPiece[b + 1]; p++) {
          classes[p] = this.palette.classes[variableOf(stage, b, p)];
        }
      }
      return classes;
    });
  }

  // Has the next frame draw the whole picture.
  forget() {
    this.changes++;
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

  // Draws a frame. state: the selected variable and what belongs to it, what the pointer is on. If
  // only what lies above the picture has changed, the picture stays.
  draw(state) {
    const {view} = this;
    this.ratio = window.devicePixelRatio || 1;
    const shown = [view.width, view.height, this.ratio, view.t0, view.t1, view.before, view.zooms, view.lowest,
      this.changes, view.isNamed ? [state.selected, state.step] : ''].join();
    if (shown !== this.shown) {
      this.shown = shown;
      this.drawPicture(state);
    }
    this.marks.draw(state);
  }

  drawPicture(state) {
    const {view, context} = this;
    fitCanvas(this.canvas, view, this.ratio);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = this.theme.paper;
    context.fillRect(0, 0, view.width, view.height);
    context.font = SMALL_FONT;
    context.textBaseline = 'alphabetic';
    this.names = [];
    if (view.isFolded) {
      this.surroundings.drawSilhouette();
    } else {
      this.drawStage(0);
    }
    this.drawStage(1);
    this.surroundings.drawCurve();
    this.surroundings.drawAxis(state);
  }

  // Draws the same again, and computes the pixels of a zoomed view if there are many.
  rehearse(state) {
    const {view} = this;
    const stage = this.model.stages[1];
    if (stage.count > MOST_SHAPES) {
      const {t0, t1} = view;
      view.t1 = t0 + (t1 - t0) / 4;
      const shown = this.visible[1].subarray(0, collectBoxes(stage, view.t0, view.t1, 0, stage.height, this.visible[1]));
      fillPixels(this, 1, shown);
      view.t1 = t1;
    }
    this.drawPicture(state);
    this.marks.draw(state);
  }

  drawStage(s) {
    const {view, context} = this;
    const stage = this.model.stages[s];
    const panel = view.panels[s];
    const low = view.lowest[s];
    const high = low + panel.height / view.scaleOf(s);
    const visible = this.visible[s];
    const shown = visible.subarray(0, collectBoxes(stage, view.t0, view.t1, low, high, visible));
    let shapes = shown.length;
    for (let i = 0; i < shown.length && shapes <= MOST_SHAPES; i++) {
      shapes += Math.max(0, pieceBehind(stage, shown[i], view.t1) - pieceBehind(stage, shown[i], view.t0));
    }
    // Whatever order the index has: the plan's order decides what lies above.
    context.save();
    context.beginPath();
    context.rect(view.left, panel.top, view.plot, panel.height);
    context.clip();
    if (shapes <= MOST_SHAPES) {
      this.drawArenas(s);
      shown.sort();
      this.names.push(...this.drawShapes(context, s, shown));
    } else {
      paintPixels(this, s, shown);
    }
    this.surroundings.drawGrid(s);
    this.drawSpanEdges(panel);
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

  // Draws boxes on a canvas, then the names that fit. Returns these.
  drawShapes(context, s, boxes) {
    const names = [];
    for (const b of boxes) {
      this.drawBox(context, s, b);
    }
    for (const b of boxes) {
      this.addNames(s, b, names);
    }
    for (const {text, ink, left, top, bottom} of names) {
      context.fillStyle = ink;
      context.fillText(text, left, (top + bottom) / 2 + 4);
    }
    return names;
  }

  drawBox(context, s, b) {
    const {view} = this;
    const stage = this.model.stages[s];
    const top = view.y(s, stage.high[b]);
    const height = Math.max(0.5, stage.bytes[b] * view.scaleOf(s));
    if (stage.held) {
      const x = view.x(stage.from[b]);
      const width = view.x(this.model.endPoint) - x;
      context.fillStyle = this.colorOfPiece(s, stage.firstPiece[b]);
      context.globalAlpha = 0.25;
      context.fillRect(x, top, width, height);
      context.globalAlpha = 1;
      if (height >= SMALLEST_BORDER) {
        context.fillStyle = this.hatch;
        context.fillRect(x, top, width, height);
      }
    }
    piecesIn(stage, b, view.t0, view.t1, p => this.drawPiece(context, s, b, p, top, height));
  }

  colorOfPiece(s, p) {
    return this.css[this.classes[s][p]];
  }

  drawPiece(context, s, b, p, top, height) {
    const {view, theme} = this;
    const stage = this.model.stages[s];
    const x = view.x(stage.begin[p]);
    const width = Math.max(0.5, view.x(stage.end[p]) - x);
    const window = stage.windows.get(p);
    const y = window ? view.y(s, stage.low[b] + window.high) : top;
    const h = window ? Math.max(0.5, (window.high - window.low) * view.scaleOf(s)) : height;
    context.fillStyle = this.colorOfPiece(s, p);
    context.fillRect(x, y, width, h);
    if (h >= SMALLEST_BORDER && width >= SMALLEST_BORDER) {
      const moves = stage.views.has(b);
      context.strokeStyle = moves ? theme.ink : theme.paper;
      context.lineWidth = moves ? 1 : 0.8;
      context.setLineDash(moves ? [4, 3] : NO_DASH);
      context.strokeRect(x + 0.5, y + 0.5, width - 1, h - 1);
      context.setLineDash(NO_DASH);
    }
  }

  // Adds the name of each variable, in the first of its parts of the box that can be seen and has room.
  addNames(s, b, names) {
    const {view} = this;
    const stage = this.model.stages[s];
    if (stage.bytes[b] * view.scaleOf(s) < 12) {
      return;
    }
    const add = (p, from, to, low, high) => {
      const name = this.fittingName(s, b, p, from, to, low, high);
      name && names.push(name);
      return name;
    };
    if (stage.held) {
      add(stage.firstPiece[b], stage.from[b], stage.to[b], stage.low[b], stage.high[b]);
      return;
    }
    let named = -1;
    piecesIn(stage, b, view.t0, view.t1, p => {
      const variable = variableOf(stage, b, p);
      const window = stage.windows.get(p) || {low: 0, high: stage.bytes[b]};
      if (variable !== named && add(p, stage.begin[p], stage.end[p], stage.low[b] + window.low, stage.low[b] + window.high)) {
        named = variable;
      }
    });
  }

  // The name in what can be seen of a rectangle of points and bytes; null if it does not fit.
  fittingName(s, b, p, from, to, low, high) {
    const {view, context} = this;
    const panel = view.panels[s];
    const stage = this.model.stages[s];
    const left = Math.max(view.left, view.x(from)) + 4;
    const right = Math.min(view.left + view.plot, view.x(to)) - 3;
    const top = Math.max(panel.top, view.y(s, high));
    const bottom = Math.min(panel.top + panel.height, view.y(s, low));
    const text = bottom - top < 12 || right - left < 4 * CHARACTER ? ''
        : fittingWords(context, this.model.name(variableOf(stage, b, p)), right - left);
    const ink = stage.held ? this.theme.ink : this.inks[this.classes[s][p]];
    return text ? {stage: s, box: b, text, ink, left, right, top, bottom} : null;
  }

  drawSpanEdges(panel) {
    const {view, context} = this;
    for (const span of this.model.spans) {
      if (span.depth < MOST_SPAN_ROWS) {
        context.fillStyle = span.isLoop ? this.theme.loop : this.theme.branch;
        context.globalAlpha = 0.45;
        for (const step of [span.head, span.exit + 1]) {
          const x = view.x(step * this.model.pointsPerStep);
          if (x >= view.left && x <= view.left + view.plot) {
            context.fillRect(Math.round(x), panel.top, 1, panel.height);
          }
        }
        context.globalAlpha = 1;
      }
    }
  }
}

// Gives a canvas the pixels of the view; that clears it if it had others.
function fitCanvas(canvas, view, ratio) {
  const width = Math.round(view.width * ratio);
  const height = Math.round(view.height * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
}

function parseColor(text) {
  return text.match(/[\d.]+/g).slice(0, 3).map(Number);
}

// The colors --f0, --f1 and so on of the style sheet.
function readColors(style, prefix, count) {
  return Array.from({length: count}, (_, i) => parseColor(fromHex(style.getPropertyValue(prefix + i).trim())));
}

function fromHex(text) {
  return [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16)).join(' ');
}

// Dark words on light colors, light ones on dark colors.
function inkOn([red, green, blue]) {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 112 ? INKS[0] : INKS[1];
}

function cssColor(color) {
  return 'rgb(' + color.join(',') + ')';
}

// Words cut to a width in pixels, measured; empty if fewer than four characters fit.
function fittingWords(context, words, room) {
  if (words.length * CHARACTER <= room && /^[\x20-\x7e]*$/.test(words)) {
    return words;
  }
  let most = Math.min(words.length, Math.floor(room / 2));
  while (most > 3) {
    const cut = most === words.length ? words : words.slice(0, most - 1) + '…';
    const width = context.measureText(cut).width;
    if (width <= room) {
      return cut;
    }
    most = Math.min(most - 1, Math.floor(most * room / width));
  }
  return '';
}
