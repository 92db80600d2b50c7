/** An axis of a chart, and the code of its format. */
export interface Axis {
  kind: string;
  /** Side of the chart: `b`, `t`, `l` or `r`. */
  position: string;
  code: string;
}

export const axisKinds: ReadonlySet<string> = new Set(['c:catAx', 'c:dateAx', 'c:serAx', 'c:valAx']);

/** Returns the codes for the labels and values of a series. Scatter charts have an axis of values for both. */
export function codesOf(axes: readonly Axis[]): { categories: string; values: string } {
  const ofValues = axes.filter(({ kind }) => kind === 'c:valAx');
  const isScatter = ofValues.length > 1;
  const categories = isScatter
    ? ofValues.find(({ position }) => position === 'b' || position === 't')
    : axes.find(({ kind }) => kind === 'c:catAx' || kind === 'c:dateAx');
  const values = isScatter
    ? ofValues.find(({ position }) => position === 'l' || position === 'r')
    : ofValues[0];
  return { categories: categories?.code ?? '', values: values?.code ?? '' };
}
