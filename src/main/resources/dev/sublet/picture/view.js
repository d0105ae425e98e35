// What part of the picture is on the canvas, and where. Time has one scale. The plan has its own
// scale of bytes and nearly all of the height; the stage before is a silhouette ('folded'), or has
// its own scale ('open'), or the plan's ('same'). Each stage has its own lowest visible byte.

const RIGHT = 10;
const HEADLINE = 24;
const CURVE = 78;
const MARKER = 14;
const FOLDED = 44;
const SPAN_ROW = 15;
const MOST_SPAN_ROWS = 5;
const SMALLEST_PANEL = 56;
const AXIS_TITLE = 16;
const BEFORE = ['folded', 'open', 'same'];

class View {
  constructor(model) {
    this.model = model;
    this.t0 = 0;
    this.t1 = Math.max(1, model.endPoint);
    this.before = model.comparison ? 'same' : 'folded';
    this.zooms = [1, 1];
    this.lowest = [0, 0];
    this.depth = 0;
    this.longest = 0;
    this.left = 80;
    for (const span of model.spans) {
      this.depth = Math.max(this.depth, span.depth + 1);
    }
    for (let i = 0; i < model.stepCount; i++) {
      const end = model.stepFlags[i] & 1 ? 'end of '.length : 0;
      this.longest = Math.max(this.longest, end + model.stepLabel(i).length);
    }
  }

  // Arranges everything on a canvas of that many CSS pixels.
  resize(width, height) {
    this.width = width;
    this.height = height;
    this.left = width < 600 ? 76 : 80;
    this.plot = Math.max(50, width - this.left - RIGHT);
    this.arrange();
    this.clamp();
  }

  get isFolded() {
    return this.before === 'folded';
  }

  setBefore(before) {
    this.before = before;
    this.zooms = [1, 1];
    this.lowest = [0, 0];
    this.clamp();
  }

  // Gives the stages what the axis leaves: little for numbers, more where operators stand upright.
  arrange() {
    this.isNamed = this.model.hasOperators && this.perPoint * this.model.pointsPerStep >= 11;
    this.labels = this.isNamed ? Math.min(128, Math.round(14 + 6.7 * this.longest)) : this.model.hasOperators ? 36 : 22;
    this.spanRows = Math.min(MOST_SPAN_ROWS, this.depth);
    const rest = this.labels + this.spanRows * SPAN_ROW + AXIS_TITLE + CURVE + 3 * HEADLINE;
    const room = Math.max(2 * SMALLEST_PANEL, this.height - rest);
    const [before, after] = this.model.stages.map(stage => stage.height);
    const wanted = {folded: FOLDED, open: 0.42 * room, same: room * before / (before + after)}[this.before];
    const least = this.isFolded ? FOLDED : SMALLEST_PANEL;
    const first = Math.min(room - SMALLEST_PANEL, Math.max(least, wanted));
    this.fitScales = [first / before, (room - first) / after];
    if (this.before === 'same') {
      this.fitScales.fill(Math.min(...this.fitScales));
    }
    this.panels = [
      {top: HEADLINE, height: first},
      {top: 2 * HEADLINE + first, height: room - first},
    ];
    this.curveTop = 3 * HEADLINE + room;
    this.axisTop = this.curveTop + CURVE;
  }

  // Pixels a byte, and pixels a point.
  scaleOf(stage) {
    return this.fitScales[stage] * this.zooms[stage];
  }

  get perPoint() {
    return this.plot / (this.t1 - this.t0);
  }

  x(point) {
    return this.left + (point - this.t0) * this.perPoint;
  }

  y(stage, byte) {
    const panel = this.panels[stage];
    return panel.top + panel.height - (byte - this.lowest[stage]) * this.scaleOf(stage);
  }

  pointAt(x) {
    return this.t0 + (x - this.left) / this.perPoint;
  }

  byteAt(stage, y) {
    const panel = this.panels[stage];
    return this.lowest[stage] + (panel.top + panel.height - y) / this.scaleOf(stage);
  }

  // The stage whose panel a place is in, or -1.
  stageAt(x, y) {
    if (x < this.left || x > this.left + this.plot) {
      return -1;
    }
    return this.panels.findIndex(panel => y >= panel.top && y <= panel.top + panel.height);
  }

  isOnAxis(x, y) {
    return x >= this.left && x <= this.left + this.plot && y > this.curveTop;
  }

  zoomTime(factor, x) {
    const point = this.pointAt(x);
    const end = Math.max(1, this.model.endPoint);
    const wanted = Math.min(end, Math.max(Math.min(end, 4), (this.t1 - this.t0) / factor));
    const share = (x - this.left) / this.plot;
    this.t0 = point - wanted * share;
    this.t1 = this.t0 + wanted;
    this.clamp();
  }

  // Zooms the bytes of a stage; the byte at y stays where it is. With one scale both zoom.
  zoomBytes(factor, stage, y) {
    const zoomed = stage === 0 && this.isFolded ? 1 : stage;
    const byte = this.byteAt(zoomed, y);
    const zoom = Math.min(1e12, Math.max(1, this.zooms[zoomed] * factor));
    if (this.before === 'same') {
      this.zooms.fill(zoom);
    } else {
      this.zooms[zoomed] = zoom;
    }
    const panel = this.panels[zoomed];
    this.lowest[zoomed] = byte - (panel.top + panel.height - y) / this.scaleOf(zoomed);
    this.clamp();
  }

  panTime(pixels) {
    const points = pixels / this.perPoint;
    this.t0 += points;
    this.t1 += points;
    this.clamp();
  }

  panBytes(pixels, stage) {
    this.lowest[stage] += pixels / this.scaleOf(stage);
    this.clamp();
  }

  fit() {
    this.t0 = 0;
    this.t1 = Math.max(1, this.model.endPoint);
    this.zooms = [1, 1];
    this.lowest = [0, 0];
    this.clamp();
  }

  // Shows a time and some bytes of a stage, with something around them.
  show(from, to, stage, low, high) {
    const end = Math.max(1, this.model.endPoint);
    const span = Math.min(end, Math.max(16, (to - from) * 2));
    this.t0 = (from + to - span) / 2;
    this.t1 = this.t0 + span;
    this.clamp();
    const panel = this.panels[stage];
    const wanted = panel.height / Math.max(1, (high - low) * 3);
    const zoom = Math.max(1, wanted / this.fitScales[stage]);
    if (this.before === 'same') {
      this.zooms.fill(zoom);
    } else {
      this.zooms[stage] = zoom;
    }
    this.lowest[stage] = (low + high) / 2 - panel.height / this.scaleOf(stage) / 2;
    this.clamp();
  }

  // Moves as little as possible so that a box can be seen.
  reveal(from, to, stage, low, high) {
    if (to <= this.t0 || from >= this.t1) {
      const span = this.t1 - this.t0;
      this.t0 = (from + to - span) / 2;
      this.t1 = this.t0 + span;
    }
    const shown = this.panels[stage].height / this.scaleOf(stage);
    if (high <= this.lowest[stage] || low >= this.lowest[stage] + shown) {
      this.lowest[stage] = (low + high - shown) / 2;
    }
    this.clamp();
  }

  // Moves as little as possible so that a point can be seen.
  revealPoint(point) {
    if (point < this.t0 || point >= this.t1) {
      const span = this.t1 - this.t0;
      this.t0 = point - span / 2;
      this.t1 = this.t0 + span;
      this.clamp();
    }
  }

  // A view that was written down: the time, and zoom and lowest byte of each stage.
  restore(time, bytes) {
    if (time[1] > time[0]) {
      [this.t0, this.t1] = time;
    }
    this.zooms = [bytes[0], bytes[2]].map(zoom => Math.min(1e12, Math.max(1, zoom)));
    this.lowest = [bytes[1], bytes[3]];
    this.clamp();
  }

  clamp() {
    const end = Math.max(1, this.model.endPoint);
    const span = Math.min(end, this.t1 - this.t0);
    // Few digits, which an address can have.
    this.t0 = rounded(Math.min(end - span, Math.max(0, this.t0)));
    this.t1 = rounded(this.t0 + span);
    if (this.panels) {
      this.arrange();
    }
    for (let stage = 0; this.panels && stage < 2; stage++) {
      const shown = this.panels[stage].height / this.scaleOf(stage);
      const most = Math.max(0, this.model.stages[stage].height - shown);
      this.lowest[stage] = Math.min(most, Math.max(0, this.lowest[stage]));
    }
  }
}

function rounded(point) {
  return Math.round(point * 1e7) / 1e7;
}

// The least power of two that is not below a number.
function powerOfTwo(atLeast) {
  return Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(1, atLeast))));
}

// The least of 1, 2, 5, 10, 20, … that is not below a number.
function roundNumber(atLeast) {
  let step = 1;
  for (;;) {
    for (const factor of [1, 2, 5]) {
      if (step * factor >= atLeast) {
        return step * factor;
      }
    }
    step *= 10;
  }
}
