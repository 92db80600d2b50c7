import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './output.js';

export interface ProgressBar {
  show(done: number, total: number): void;
  stop(): void;
}

/** Shows a progress bar at a terminal, and nothing elsewhere. */
export function progressBar(out: Output, unit: string): ProgressBar {
  if (!process.stderr.isTTY || out.json) return { show() {}, stop() {} };
  const bar = new SingleBar(
    { format: `{bar} {value}/{total} ${unit}`, stream: process.stderr, clearOnComplete: true },
    Presets.shades_classic,
  );
  let isStarted = false;
  return {
    show(done, total) {
      if (!isStarted) bar.start(total, done);
      isStarted = true;
      bar.setTotal(total);
      bar.update(done);
    },
    stop() {
      if (isStarted) bar.stop();
    },
  };
}
