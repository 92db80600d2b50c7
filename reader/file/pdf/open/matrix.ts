/** Maps (x, y) to (ax + cy + e, bx + dy + f). */
export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the matrix that applies `values` first. Values that are no matrix change nothing. */
export function multiplied([a, b, c, d, e, f]: Matrix, values: unknown): Matrix {
  if (!isNumbers(values) || values.length < 6) return [a, b, c, d, e, f];
  const [p = 1, q = 0, r = 0, s = 1, t = 0, u = 0] = values;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

const isNumbers = (values: unknown): values is ArrayLike<number> & Iterable<number> =>
  values instanceof Float32Array || (Array.isArray(values) && values.every(Number.isFinite));
