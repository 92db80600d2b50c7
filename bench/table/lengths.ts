/** How much of everything is measured. */
export interface Lengths {
  rounds: number;
  /** Of one contender's turn at requests. */
  ms: number;
  /** Tasks of a round that are accepted one by one. */
  single: number;
  /** Tasks of one job, and rounds of it. */
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

/** Shows whether it runs, not how fast anything is. */
export const quick: Lengths = {
  rounds: 2,
  ms: 700,
  single: 100,
  bulk: 500,
  bulkRounds: 2,
  latencies: 10,
  mixed: 100,
};
