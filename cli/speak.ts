import type { Command } from 'commander';
import { type Output, output, readersMayLeave, refuse } from './output.js';

/** Runs a command's work with the output format that `--json` selects, and prints its errors. */
export type Speak = (command: Command, work: (out: Output) => Promise<void>) => Promise<void>;

export const speak: Speak = async (command, work) => {
  const json = command.optsWithGlobals().json === true;
  readersMayLeave();
  try {
    await work(output(json));
  } catch (error) {
    refuse(error, json);
  }
};
