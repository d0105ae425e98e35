// What lies above the picture and moves without it: a veil over all but the selected variable, outlines
// of boxes, and lines at the peak, at the chosen step and at the pointer. The marks have a canvas of
// their own, so that a frame in which only these change does not draw the picture anew.

// How much of the picture the veil hides.
const VEIL = 0.7;

class Marks {
  constructor(canvas, painter) {
    this.canvas = canvas;
    this.painter = painter;
    this.model = painter.model;
    this.view = painter.view;
    this.context = canvas.getContext('2d');
  }

  get theme() {
    return this.painter.theme;
  }

  draw(state) {
    const {view, context, painter} = this;
    fitCanvas(this.canvas, view, painter.ratio);
    context.setTransform(painter.ratio, 0, 0, painter.ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.font = SMALL_FONT;
    view.isFolded || this.drawBoxes(0, state);
    this.drawBoxes(1, state);
    this.drawLines(state);
  }

  // Lines through everything: at the peak, at the chosen step, and at the pointer.
  drawLines(state) {
    const {model, theme} = this;
    let taken = null;
    if (model.peak >= 0) {
      taken = this.mark(model.livePoints[model.peak], theme.warn, 'peak ' + shortBytes(model.liveBytes[model.peak]), null);
    }
    if (model.stepCount && state.at !== peakStep(model)) {
      const point = pointOfStep(model, state.at);
      this.mark(point, theme.mark, '#' + state.at + ' ' + shortBytes(liveBytesAt(model, point)), taken);
    }
    if (state.point >= 0) {
      this.line(state.point, theme.ink, 0.35, 1);
    }
  }

  line(point, color, alpha, width) {
    const {view, context} = this;
    const x = Math.round(view.x(point)) + 0.5;
    if (x < view.left || x > view.left + view.plot) {
      return -1;
    }
    context.strokeStyle = color;
    context.globalAlpha = alpha;
    context.lineWidth = width;
    for (const [top, bottom] of [...view.panels.map(p => [p.top, p.top + p.height]), [view.curveTop, view.axisTop + 4]]) {
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, bottom);
      context.stroke();
    }
    context.globalAlpha = 1;
    return x;
  }

  // A line with words beside it, in the strip above the curve that is kept free for them, and clear
  // of words that are there already. Returns from where to where the words go.
  mark(point, color, words, taken) {
    const {view, context} = this;
    const x = this.line(point, color, 0.85, 1.5);
    if (x < 0) {
      return null;
    }
    const width = words.length * CHARACTER;
    const isFree = from => from >= view.left && from + width <= view.left + view.plot
        && (!taken || from > taken.to + 6 || from + width < taken.from - 6);
    const from = [x + 7, x - 7 - width].find(isFree);
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(x, view.curveTop + MARKER - 1);
    context.lineTo(x - 5, view.curveTop + 3);
    context.lineTo(x + 5, view.curveTop + 3);
    context.fill();
    if (from === undefined) {
      return null;
    }
    context.fillText(words, from, view.curveTop + 10);
    return {from: Math.min(from, x - 5), to: Math.max(from + width, x + 5)};
  }

  // The boxes of the selected variable and of those with its name, not under the veil; a line around its
  // own boxes, and a thin one around the box under the pointer.
  drawBoxes(s, state) {
    const {view, context, painter} = this;
    const stage = this.model.stages[s];
    const panel = view.panels[s];
    context.save();
    context.beginPath();
    context.rect(view.left, panel.top, view.plot, panel.height);
    context.clip();
    if (state.selected >= 0) {
      context.globalAlpha = VEIL;
      context.fillStyle = this.theme.paper;
      context.fillRect(view.left, panel.top, view.plot, panel.height);
      context.globalAlpha = 1;
      painter.drawShapes(context, s, this.boxesOfName(s, this.model.holder[state.selected]));
      for (const b of stage.boxesOf(s === 0 ? state.selected : this.model.holder[state.selected])) {
        if (s === 0 || state.boxes.has(b)) {
          this.outline(s, b, state.selected, 2.5);
        }
      }
    }
    if (state.hover && state.hover.stage === s && state.hover.box >= 0) {
      this.outline(s, state.hover.box, state.hover.variable, 1.2);
    }
    context.restore();
  }

  // The boxes of the variables with a name that can be seen; of several in the same pixels, the first.
  boxesOfName(s, holder) {
    const {view, model} = this;
    const stage = model.stages[s];
    const boxes = [];
    let last = {left: 0, right: -1, top: 0, bottom: -1};
    const add = b => {
      if (stage.from[b] < view.t1 && stage.to[b] > view.t0) {
        const [left, right] = [view.x(stage.from[b]) | 0, view.x(stage.to[b]) | 0];
        const [top, bottom] = [view.y(s, stage.high[b]) | 0, view.y(s, stage.low[b]) | 0];
        if (left < last.left || right > last.right || top < last.top || bottom > last.bottom) {
          last = {left, right, top, bottom};
          boxes.push(b);
        }
      }
    };
    if (s === 1) {
      stage.boxesOf(holder).forEach(add);
    } else {
      model.members(holder).forEach(v => stage.boxesOf(v).forEach(add));
    }
    return boxes;
  }

  // A line around the parts of a box in which a variable is; around all of it if the variable is in none.
  outline(s, b, variable, width) {
    const {view, context} = this;
    const stage = this.model.stages[s];
    context.strokeStyle = this.theme.ink;
    context.lineWidth = width;
    const top = view.y(s, stage.high[b]);
    const height = Math.max(2, view.y(s, stage.low[b]) - top);
    let isFound = false;
    const stroke = (from, to) => {
      isFound = true;
      if (from < view.t1 && to > view.t0) {
        const x = view.x(from);
        context.strokeRect(x, top, Math.max(2, view.x(to) - x), height);
      }
    };
    eachStretch(stage, b, stroke, variable);
    isFound || eachStretch(stage, b, stroke);
  }
}
