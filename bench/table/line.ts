/** One line of a table: what was measured, for one of those that were. */
export interface Line {
  /** What was measured; lines with the same belong together. */
  what: string;
  unit: string;
  /** `Cadre`, or a peer. */
  who: string;
  /** One for each round; empty for what could not be measured. */
  values: number[];
  /** Milliseconds; one for each round, or one of all. */
  p99?: number[];
  /** Whatever there is to add: processor time, why there is no value. */
  note?: string;
}

/** How much of it is measured, and whom to tell how far it is. */
export type Progress = (text: string) => void;
