// A stage with many boxes, pixel by pixel: a box takes at least one, so that a frame costs the pixels
// of the canvas and one look at each visible box.

function paintPixels(painter, s, shown) {
  const {view, ratio} = painter;
  const raster = fillPixels(painter, s, shown);
  painter.context.putImageData(raster.image, Math.round(view.left * ratio), Math.round(view.panels[s].top * ratio));
}

function fillPixels(painter, s, shown) {
  const {view, ratio, model, colors, free} = painter;
  const panel = view.panels[s];
  const stage = model.stages[s];
  const raster = rasterOf(painter, s, Math.round(view.plot * ratio), Math.round(panel.height * ratio));
  const {width, height, pixels} = raster;
  const perByte = view.scaleOf(s) * ratio;
  const bottom = panel.height * ratio + view.lowest[s] * perByte;
  pixels.fill(packed(painter.paper));
  raster.heldFrom.fill(width);
  for (const arena of stage.arenas) {
    const top = Math.max(0, Math.floor(bottom - (arena.base + arena.bytes) * perByte));
    pixels.fill(packed(free), top * width, Math.max(top, Math.min(height, Math.ceil(bottom - arena.base * perByte))) * width);
  }
  const scale = {t0: view.t0, t1: view.t1, perPoint: view.perPoint * ratio, perByte, bottom};
  const inks = {
    classes: painter.classes[s],
    live: Int32Array.from(colors, packed),
    held: Int32Array.from(colors, c => packed(mixed(c, free, 0.28))),
  };
  fillBoxes(raster, stage, shown, scale, inks);
  return raster;
}

// Colors the pixels of boxes.
function fillBoxes(raster, stage, shown, {t0, t1, perPoint, perByte, bottom}, {classes, live, held}) {
  const {width, height, pixels} = raster;
  const {low, high, from, bytes, begin, end, firstPiece, windows} = stage;
  const least = stage.held ? 0 : 0.3;
  for (let i = 0; i < shown.length; i++) {
    const b = shown[i];
    const top = rowAt(high[b], bottom, perByte, height);
    const below = Math.min(height, Math.max(top + 1, rowAt(low[b], bottom, perByte, height)));
    if (stage.held) {
      fillHeld(raster, Math.max(0, Math.floor((from[b] - t0) * perPoint)), top, below, held[classes[firstPiece[b]]]);
    }
    const share = Math.min(1, bytes[b] * perByte);
    const last = firstPiece[b + 1];
    // Most boxes have one piece.
    let p = firstPiece[b];
    p = last - p > 1 ? pieceBehind(stage, b, t0) : p;
    for (; p < last && begin[p] < t1; p++) {
      const left = Math.max(0, Math.floor((begin[p] - t0) * perPoint));
      const right = Math.min(width, Math.max(left + 1, Math.floor((end[p] - t0) * perPoint)));
      // Among held bytes a share of a pixel is no more than that; in free ones it must be seen.
      const part = Math.max(least, share * Math.min(1, (end[p] - begin[p]) * perPoint));
      const window = windows.size > 0 ? windows.get(p) : undefined;
      if (window === undefined) {
        fillLive(pixels, width, left, right, top, below, live[classes[p]], part);
      } else {
        const upper = rowAt(low[b] + window.high, bottom, perByte, height);
        const lower = Math.min(height, Math.max(upper + 1, rowAt(low[b] + window.low, bottom, perByte, height)));
        fillLive(pixels, width, left, right, upper, lower, live[classes[p]], part);
      }
    }
  }
}

// The row of a byte, from 0 to the height.
function rowAt(byte, bottom, perByte, height) {
  const row = bottom - byte * perByte;
  return row <= 0 ? 0 : row >= height ? height : row | 0;
}

// Pixels that some part of the picture has for itself; they keep what the last frame has left there.
function rasterOf(painter, slot, width, height) {
  let raster = painter.rasters[slot];
  if (!raster || raster.width !== width || raster.height !== height) {
    const image = painter.context.createImageData(width, height);
    raster = {image, pixels: new Int32Array(image.data.buffer), width, height, heldFrom: new Int32Array(height)};
    painter.rasters[slot] = raster;
  }
  return raster;
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
function fillLive(pixels, width, left, right, top, end, color, part) {
  for (let y = top; y < end; y++) {
    const stop = y * width + right;
    if (part >= 1) {
      for (let i = y * width + left; i < stop; i++) {
        pixels[i] = color;
      }
      continue;
    }
    // A row has few colors: what becomes of one is computed once for each run of it.
    let old = color;
    let mix = color;
    for (let i = y * width + left; i < stop; i++) {
      if (pixels[i] !== old) {
        old = pixels[i];
        mix = 255 << 24 | toward(old >> 16 & 255, color >> 16 & 255, part) << 16
            | toward(old >> 8 & 255, color >> 8 & 255, part) << 8 | toward(old & 255, color & 255, part);
      }
      pixels[i] = mix;
    }
  }
}

// Rounded to the far side, so that many small parts add up.
function toward(from, to, part) {
  const step = (to - from) * part;
  return from + ((step > 0 ? step + 0.9999 : step - 0.9999) | 0);
}

function mixed(color, other, share) {
  return color.map((c, i) => Math.round(c * share + other[i] * (1 - share)));
}

// A pixel of ImageData on a little-endian machine, as all that run browsers are. Signed, since a number
// without a sign would be too large for a small integer, and the browser would take memory for it.
function packed(color) {
  return 255 << 24 | color[2] << 16 | color[1] << 8 | color[0];
}
