// A stage with many boxes, pixel by pixel: a box takes at least one, so that a frame costs the pixels
// of the canvas and one look at each visible box.

function paintPixels(painter, s, shown, state) {
  const {view, ratio, model, colors, free} = painter;
  const panel = view.panels[s];
  const stage = model.stages[s];
  const x0 = Math.round(view.left * ratio);
  const y0 = Math.round(panel.top * ratio);
  const width = Math.round(view.plot * ratio);
  const height = Math.round(panel.height * ratio);
  const image = painter.context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  pixels.fill(packed(painter.paper));
  const raster = {pixels, width, height, heldFrom: new Int32Array(height).fill(width)};
  const live = colors;
  const dimmed = colors.map(c => mixed(c, free, 0.3));
  const held = colors.map(c => packed(mixed(c, free, 0.28)));
  const perPoint = view.perPoint * ratio;
  const perByte = view.scaleOf(s) * ratio;
  const bottom = panel.height * ratio + view.lowest[s] * perByte;
  const rowAt = byte => Math.min(height, Math.max(0, Math.floor(bottom - byte * perByte)));
  for (const arena of stage.arenas) {
    const top = Math.max(0, Math.floor(bottom - (arena.base + arena.bytes) * perByte));
    pixels.fill(packed(free), top * width, Math.max(top, Math.min(height, Math.ceil(bottom - arena.base * perByte))) * width);
  }
  for (const b of shown) {
    const color = painter.classes[s][b];
    const isDim = state.selected >= 0 && !state.related.has(stage.variable[b]);
    const top = rowAt(stage.high[b]);
    const end = Math.min(height, Math.max(top + 1, rowAt(stage.low[b])));
    if (stage.held) {
      fillHeld(raster, Math.max(0, Math.floor((stage.from[b] - view.t0) * perPoint)), top, end, held[color]);
    }
    const share = Math.min(1, stage.bytes[b] * perByte);
    piecesIn(stage, b, view.t0, view.t1, p => {
      const left = Math.max(0, Math.floor((stage.begin[p] - view.t0) * perPoint));
      const right = Math.min(width, Math.max(left + 1, Math.floor((stage.end[p] - view.t0) * perPoint)));
      const part = share * Math.min(1, (stage.end[p] - stage.begin[p]) * perPoint);
      const window = stage.windows.get(p);
      const upper = window ? rowAt(stage.low[b] + window.high) : top;
      const lower = window ? Math.max(upper + 1, rowAt(stage.low[b] + window.low)) : end;
      // Among held bytes a share of a pixel is no more than that; in free ones it must be seen.
      fillLive(raster, left, right, upper, Math.min(height, lower), isDim ? dimmed[color] : live[color], stage.held ? part : Math.max(0.3, part));
    });
  }
  painter.context.putImageData(image, x0, y0);
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

function mixed(color, other, share) {
  return color.map((c, i) => Math.round(c * share + other[i] * (1 - share)));
}

// A pixel of ImageData on a little-endian machine, as all that run browsers are.
function packed(color) {
  return (255 << 24 | color[2] << 16 | color[1] << 8 | color[0]) >>> 0;
}
