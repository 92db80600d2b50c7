/** Sizes and durations of the measurements. */
export interface Lengths {
  rounds: number;
  /** Duration per contender and round of requests. */
  ms: number;
  /** Tasks per round that are accepted one at a time. */
  single: number;
  /** Tasks of one job, and its rounds. */
  bulk: number;
  bulkRounds: number;
  latencies: number;
  /** Pages of a retrain. */
  mixed: number;
}

/** Each part takes less than five minutes on two cores. */
export const full: Lengths = {
  rounds: 5,
  ms: 800,
  single: 500,
  bulk: 5_000,
  bulkRounds: 3,
  latencies: 40,
  mixed: 1_000,
};

/** Only to see whether it runs: the values mean nothing. */
export const quick: Lengths = {
  rounds: 2,
  ms: 700,
  single: 100,
  bulk: 500,
  bulkRounds: 2,
  latencies: 10,
  mixed: 100,
};
