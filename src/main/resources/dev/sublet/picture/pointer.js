// Follows the mouse, a pen or a finger.
class Pointer {
  constructor(page) {
    this.page = page;
    this.tip = byId('tip');
    this.drag = null;
    const canvas = page.canvas;
    canvas.addEventListener('pointermove', e => this.move(e));
    canvas.addEventListener('pointerdown', e => this.press(e));
    canvas.addEventListener('pointerup', e => this.release(e));
    canvas.addEventListener('pointercancel', () => this.stop());
    canvas.addEventListener('pointerleave', () => this.leave());
    canvas.addEventListener('wheel', e => this.wheel(e), {passive: false});
  }

  press(event) {
    this.drag = {x: event.offsetX, y: event.offsetY, moved: 0, stage: this.page.view.stageAt(event.offsetX, event.offsetY)};
    this.page.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    const {page, drag} = this;
    const {offsetX: x, offsetY: y} = event;
    if (drag) {
      drag.moved += Math.abs(x - drag.x) + Math.abs(y - drag.y);
      page.view.panTime(drag.x - x);
      if (drag.stage >= 0) {
        page.view.panBytes(y - drag.y, drag.stage);
      }
      drag.x = x;
      drag.y = y;
      page.canvas.classList.toggle('moving', drag.moved > 4);
      page.draw();
      return;
    }
    this.point(x, y);
  }

  // Shows what is at a place.
  point(x, y) {
    const {page} = this;
    const {view, model, state} = page;
    state.hover = page.hit(x, y);
    const isInside = x >= view.left && x <= view.left + view.plot;
    state.point = isInside ? Math.floor(view.pointAt(x)) : -1;
    state.step = isInside ? Math.min(model.stepCount - 1, Math.floor(state.point / model.pointsPerStep)) : -1;
    this.showTip(x, y);
    page.draw();
  }

  showTip(x, y) {
    const {page, tip} = this;
    const {state, model, view} = page;
    const lines = [];
    if (state.hover) {
      const stage = model.stages[state.hover.stage];
      const b = state.hover.box;
      const variable = state.hover.variable;
      const block = model.block(variable) >= 0 ? 'block ' + model.block(variable) + ', ' : '';
      lines.push(element('b', {textContent: model.name(variable)}));
      lines.push(line(block + exactBytes(stage.bytes[b]) + ' at offset ' + grouped(stage.low[b] - stage.arenas[stage.arena[b]].base)));
      lines.push(line(page.panel.liveWords(variable, b)));
      if (model.kind(variable)) {
        lines.push(line(model.kind(variable)));
      }
      if (pieceAt(stage, b, state.point) < 0) {
        lines.push(line('here held, but dead'));
      }
      if (stage.views.has(b)) {
        lines.push(line('moved: ' + viewWords(stage.views.get(b))));
      }
    } else if (state.step >= 0 && view.isOnAxis(x, y)) {
      const point = pointOfStep(model, state.step);
      lines.push(element('b', {textContent: describePoint(model, state.point)}), line(model.stepPlace(state.step)),
          line(exactBytes(liveBytesAt(model, point)) + ' live'));
    } else if (state.step >= 0 && view.isFolded && view.stageAt(x, y) === 0) {
      const before = model.stages[0];
      lines.push(element('b', {textContent: 'Before'}), line(exactBytes(valueAt(before.heldPoints, before.heldBytes, state.point)) + ' held at ' + describePoint(model, state.point)));
    }
    tip.hidden = !lines.length;
    tip.replaceChildren(...lines);
    // Beside the pointer, where there is more room. To ask how large the tip is would wait for a layout.
    const isLeft = x > view.width / 2;
    const isAbove = y > view.height / 2;
    Object.assign(tip.style, {
      left: isLeft ? 'auto' : x + 16 + 'px',
      right: isLeft ? view.width - x + 12 + 'px' : 'auto',
      top: isAbove ? 'auto' : y + 14 + 'px',
      bottom: isAbove ? view.height - y + 12 + 'px' : 'auto',
    });
  }

  release(event) {
    const {page, drag} = this;
    const wasClick = drag && drag.moved <= 4;
    this.stop();
    if (wasClick) {
      this.click(event.offsetX, event.offsetY);
    }
    page.canvas.focus({preventScroll: true});
  }

  click(x, y) {
    const {page} = this;
    const hit = page.hit(x, y);
    if (hit) {
      page.select(hit.variable, false);
    } else if (page.view.isOnAxis(x, y) && page.model.stepCount) {
      this.point(x, y);
      page.goTo(page.state.step);
    } else if (page.view.isFolded && page.view.stageAt(x, y) === 0) {
      page.setBefore('open');
    } else {
      page.select(-1);
    }
  }

  stop() {
    this.drag = null;
    this.page.canvas.classList.remove('moving');
  }

  leave() {
    const {state} = this.page;
    state.hover = null;
    state.point = -1;
    state.step = -1;
    this.tip.hidden = true;
    this.page.draw();
  }

  wheel(event) {
    const {page} = this;
    event.preventDefault();
    // A wheel's notch is about 100 pixels, or 3 lines.
    const notches = (event.deltaY || event.deltaX) / (event.deltaMode === 1 ? 3 : 100);
    const factor = Math.pow(1.25, -Math.max(-3, Math.min(3, notches)));
    const {offsetX: x, offsetY: y} = event;
    if (event.shiftKey) {
      const stage = page.view.stageAt(x, y);
      page.view.zoomBytes(factor, stage < 0 ? 1 : stage, y);
    } else {
      page.view.zoomTime(factor, Math.max(page.view.left, x));
    }
    this.point(x, y);
  }
}

function line(words) {
  return element('div', {textContent: words});
}
