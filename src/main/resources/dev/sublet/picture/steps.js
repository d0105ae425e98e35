// A function of time that changes in steps, pixel by pixel: the area below it, and a line along it. A
// frame costs the pixels and one look at each step, however many steps there are.

const SHADES = 16;

// Paints a step function over the visible time into a rectangle of the canvas, all of it. look: the
// colors of the back, of the area and, if there is a line, of the line; how thick the line is; and
// how many bytes there are for each pixel.
function paintSteps(painter, slot, points, values, {top, height}, look) {
  const {view, ratio} = painter;
  const raster = rasterOf(painter, slot, Math.round(view.plot * ratio), Math.round(height * ratio));
  const tops = new Float64Array(raster.width);
  highestIn(points, values, view.t0, 1 / (view.perPoint * ratio), tops);
  for (let x = 0; x < tops.length; x++) {
    tops[x] = raster.height - tops[x] / look.perPixel * ratio;
  }
  fillBelow(raster, tops, shadesOf(look.back, look.area));
  if (look.line) {
    fillAlong(raster, tops, look.line, look.thick * ratio);
  }
  painter.context.putImageData(raster.image, Math.round(view.left * ratio), Math.round(top * ratio));
}

// The highest value in each of some columns of equal duration, from a time on; 0 before the first step.
function highestIn(points, values, from, duration, highest) {
  let next = upperBound(points, from);
  let now = next > 0 ? values[next - 1] : 0;
  for (let x = 0; x < highest.length; x++) {
    const end = from + (x + 1) * duration;
    let most = now;
    while (next < points.length && points[next] < end) {
      now = values[next++];
      most = Math.max(most, now);
    }
    highest[x] = most;
  }
}

// The pixels below the tops of columns; the uppermost of a column has a part of the color.
function fillBelow({pixels, width, height}, tops, shades) {
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const covered = y + 1 - tops[x];
      pixels[at++] = shades[covered >= 1 ? SHADES : covered <= 0 ? 0 : Math.round(covered * SHADES)];
    }
  }
}

// A line along the tops of columns, from that of the column before.
function fillAlong({pixels, width, height}, tops, [red, green, blue], thick) {
  for (let x = 0; x < width; x++) {
    const other = tops[Math.max(0, x - 1)];
    const upper = Math.max(0, Math.min(tops[x], other) - thick / 2);
    const lower = Math.min(height, Math.max(tops[x], other) + thick / 2);
    for (let y = Math.floor(upper); y < lower; y++) {
      const part = Math.min(lower, y + 1) - Math.max(upper, y);
      const i = y * width + x;
      const old = pixels[i];
      pixels[i] = 255 << 24 | toward(old >> 16 & 255, blue, part) << 16
          | toward(old >> 8 & 255, green, part) << 8 | toward(old & 255, red, part);
    }
  }
}

// Pixels of a color, from none of it to all of it.
function shadesOf(back, color) {
  return Int32Array.from({length: SHADES + 1}, (_, i) => packed(mixed(color, back, i / SHADES)));
}
