import { CLIENT_TIMEOUT_MS } from './caller.js';
import type { FieldName } from './fields.js';

/** The results that the siege expects: acknowledged and possible ones. */

export type Life = 'there' | 'gone' | 'unsure';

/** One value that one client overwrites repeatedly. */
export interface Register {
  written(value: string, how: 'done' | 'unknown', askedAt: number): void;
  /** The stored value must be the last acknowledged one, or a later unacknowledged write. */
  allows(value: string | null): boolean;
  last(): string | null;
}

/** An unanswered write may still take effect within this time, after later writes. */
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
  /** Contents of a file job's files, by name. */
  sentences: Record<string, string>;
}

export interface KnownAgent {
  id: string;
  life: Life;
  fields: Map<FieldName, Register>;
  /** By document id. */
  lessons: Map<string, KnownLesson>;
  /** Titles of unacknowledged creations. */
  possibleLessons: Set<string>;
  /** Submitted URLs, and whether the last submission was acknowledged. */
  pages: Map<string, 'done' | 'unknown'>;
  /** Documents of files that were, or may have been, deleted. */
  deletedFiles: Set<string>;
  jobs: Map<string, KnownJob>;
}

export interface Ledger {
  agents: KnownAgent[];
  /** Names of agents with an unacknowledged creation. */
  possibleAgents: Set<string>;
  /** Texts that no client may ever see. */
  wrong: string[];
}

export const createLedger = (): Ledger => ({ agents: [], possibleAgents: new Set(), wrong: [] });

export const isOver = (status: string): boolean => ['completed', 'failed', 'cancelled'].includes(status);
