import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './output.js';

/** Interval between two lines if the output is not a terminal, in milliseconds. */
const LINE_MS = 5000;

interface Progress {
  show(agents: number, rows: number): void;
  stop(): void;
}

/** Shows the progress of the deletion: a progress bar at a terminal, otherwise a line every 5 s. */
export function deletionProgress(out: Output, total: number): Progress {
  return process.stderr.isTTY && !out.json ? bar(total) : lines(out, total);
}

function bar(total: number): Progress {
  const format = '{bar} {value}/{total} agents, {rows} rows deleted';
  const progress = new SingleBar(
    { format, stream: process.stderr, clearOnComplete: true },
    Presets.shades_classic,
  );
  let isStarted = false;
  return {
    show(agents, rows) {
      if (!isStarted) progress.start(Math.max(total, agents), agents, { rows });
      isStarted = true;
      progress.update(agents, { rows });
    },
    stop() {
      if (isStarted) progress.stop();
    },
  };
}

function lines(out: Output, total: number): Progress {
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(agents, rows) {
      if (performance.now() - shownAt < LINE_MS) return;
      shownAt = performance.now();
      out.note(`${agents} of ${Math.max(total, agents)} agents and ${rows} rows of their data are deleted.`);
    },
    stop() {},
  };
}
