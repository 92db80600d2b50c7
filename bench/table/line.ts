/** One row of a table: the values of one contender in one measurement. */
export interface Line {
  /** The measurement; rows with the same one form a group. */
  what: string;
  unit: string;
  /** `Cadre`, or a peer. */
  who: string;
  /** One value per round; empty if it could not be measured. */
  values: number[];
  /** Milliseconds: one per round, or one for all. */
  p99?: number[];
  /** A remark, such as CPU time or why there is no value. */
  note?: string;
}

/** Lengths and the progress callback. */
export type Progress = (text: string) => void;
