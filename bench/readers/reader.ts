/**
 * What every tool under measure is to the benches: a module with one function `read`. It runs in a process of its own
 * (serve.ts), so that a tool that crashes or hangs costs one file, and rivals can live in a package of their own.
 */
export interface Reader {
  /** Text, or HTML to be turned into text by the bench. Throws what it cannot read. */
  read(bytes: Uint8Array, name: string): Promise<Content> | Content;
}

export type Content = { text: string } | { html: string };

/** To the process of a reader. */
export interface Question {
  id: number;
  path: string;
}

/** From it. `ms`: the reading alone; `peakMb`: most resident memory of the process so far. */
export type Answer = { id: number; ms: number; peakMb: number } & (
  | { content: Content }
  | { refusal: { code: string | null; message: string } }
);
