import { CLIENT_TIMEOUT_MS } from './caller.js';
import type { FieldName } from './fields.js';

/** What the siege knows about what it asked for: the acknowledged, and the possible. */

export type Life = 'there' | 'gone' | 'unsure';

/** One value that is written over and over by one client. */
export interface Register {
  written(value: string, how: 'done' | 'unknown', askedAt: number): void;
  /** The value is the last acknowledged one, or a later or unfinished write that nobody acknowledged. */
  allows(value: string | null): boolean;
  last(): string | null;
}

/** A write without an answer may still be on its way for so long: after that it can no longer come over a later one. */
const UNFINISHED_MS = 2 * CLIENT_TIMEOUT_MS;

export function createRegister(initial: string | null): Register {
  let acknowledged = initial;
  let possible: { value: string; askedAt: number }[] = [];
  return {
    written(value, how, askedAt) {
      if (how === 'unknown') {
        possible.push({ value, askedAt });
        return;
      }
      acknowledged = value;
      possible = possible.filter((write) => write.askedAt > askedAt - UNFINISHED_MS);
    },
    allows: (value) => value === acknowledged || possible.some((write) => write.value === value),
    last: () => acknowledged,
  };
}

export interface KnownLesson {
  title: string;
  text: string;
  life: Life;
}

export interface KnownJob {
  kind: 'page' | 'files' | 'retrain';
  /** As last seen. */
  status: string;
  /** What the files of a file job say, by name. */
  sentences: Record<string, string>;
}

export interface KnownAgent {
  id: string;
  life: Life;
  fields: Map<FieldName, Register>;
  /** By document id. */
  lessons: Map<string, KnownLesson>;
  /** Titles of creations that nobody acknowledged. */
  possibleLessons: Set<string>;
  /** URLs that were sent, and whether the last time was acknowledged. */
  pages: Map<string, 'done' | 'unknown'>;
  /** Documents of files that were deleted, or may be. */
  deletedFiles: Set<string>;
  jobs: Map<string, KnownJob>;
}

export interface Ledger {
  agents: KnownAgent[];
  /** Names of agents whose creation nobody acknowledged. */
  possibleAgents: Set<string>;
  /** What no client must ever see, word for word. */
  wrong: string[];
}

export const createLedger = (): Ledger => ({ agents: [], possibleAgents: new Set(), wrong: [] });

export const isOver = (status: string): boolean => ['completed', 'failed', 'cancelled'].includes(status);
