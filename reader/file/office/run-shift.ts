/** Position of a run: superscript, subscript or, if null, on the line. */
export type RunShift = 'super' | 'sub' | null;

/** Returns the shift for the value of a `vertAlign` element of documents and sheets. */
export const shiftOfAlign = (value = ''): RunShift =>
  value === 'superscript' ? 'super' : value === 'subscript' ? 'sub' : null;

/** Returns the shift for the `baseline` of a run on slides, in thousandths of a percent. */
export function shiftOfBaseline(baseline = '0'): RunShift {
  const height = Number.parseFloat(baseline);
  if (height > 0) return 'super';
  return height < 0 ? 'sub' : null;
}

/** Smaller distances, in half points, only adjust the look. */
const MIN_DISTANCE = 4;

/** Returns the shift for the distance of a run from the line of a document, in half points. */
export function shiftOfPosition(value = '0'): RunShift {
  const distance = Number.parseFloat(value);
  if (distance >= MIN_DISTANCE) return 'super';
  return distance <= -MIN_DISTANCE ? 'sub' : null;
}
