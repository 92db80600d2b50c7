import { setImmediate as inNextRound } from 'node:timers';
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Who has the event loop's thread, and who has had too much of it. Times are in milliseconds. */
export interface ThreadShares {
  /**
   * From now on the thread works for this workspace, or for none: until the round of the event loop ends, or until
   * this is called for another.
   */
  worksFor(workspaceId: string | null): void;
  /**
   * Something of this workspace is under way that may have many pieces: a request, an upload. Returns what ends it. Who
   * has no more than two such things waits for each answer before it asks again, so others get their turns meanwhile.
   * Pieces that come then begin at once.
   */
  underWay(workspaceId: string): () => void;
  /**
   * A piece of work has come. Undefined when it may begin; else a promise that resolves when it may, the first of a
   * workspace first. It resolves to false when the piece could not begin before `until`, by the clock of this object.
   */
  begin(workspaceId: string, until?: number): Promise<boolean> | undefined;
  /**
   * The same for reports of workers, behind which others wait: such a piece stands in no line, and may begin after
   * 200 ms at the latest. Nobody waits for its sake.
   */
  beginBeside(workspaceId: string): Promise<void> | undefined;
  /** Whether another workspace has asked within the last second for something that may begin. */
  othersAsk(workspaceId: string): boolean;
}

/** The past counts for so long: what was taken so many milliseconds ago counts a third. */
const WINDOW_MS = 100;
/** So much of the thread any workspace may have, and so many times as much as all others together. */
const PART = 0.25;
const TIMES = 2;
/** Pieces of a workspace that has no more things under way begin at once. */
const FEW = 2;
/** Nobody waits for the sake of a workspace that has asked for nothing for so long. */
const LATELY_MS = 1000;
/** The next piece of a workspace begins after so long at the latest; those behind it in its line wait for it, too. */
const MOST_REST_MS = 200;
/** A piece that has begun shows within so many rounds what it takes. */
const ROUNDS = 3;
const MOST_KNOWN = 10_000;

interface Taken {
  ms: number;
  at: number;
}

interface Waiting {
  /** False: its time is over. */
  begin: (may: boolean) => void;
  until: number;
}

const left = ({ ms, at }: Taken, time: number): number => ms * Math.exp((at - time) / WINDOW_MS);

/**
 * Measures which workspace the thread works for. While another one asks for something, a workspace that has had more
 * than its part, and far more than all others, waits with its next piece of work until that is long enough ago. One
 * that is alone never waits, nor do several that ask for about the same.
 *
 * @param now milliseconds
 * @param rest resolves after so many milliseconds
 */
export function createThreadShares(
  now: () => number = () => performance.now(),
  rest: (ms: number) => Promise<unknown> = pause,
): ThreadShares {
  const taken = new LRUCache<string, Taken>({ max: MOST_KNOWN });
  const all: Taken = { ms: 0, at: 0 };
  const lines = new Map<string, Waiting[]>();
  const underWay = new Map<string, number>();
  /** Whether two have come lately: without that, and where nobody stands in line, nothing is measured. */
  let contested = false;
  let owner: string | null = null;
  let since = 0;
  let inRound = false;
  /** The two workspaces that came last, the last one first. */
  let last = { workspaceId: '', at: Number.NEGATIVE_INFINITY };
  let before = last;
  /** When each last asked for something that a client waits for. */
  const askedAt = new LRUCache<string, number>({ max: MOST_KNOWN });

  function charge(known: Taken, ms: number, time: number): void {
    known.ms = left(known, time) + WINDOW_MS * (1 - Math.exp(-ms / WINDOW_MS));
    known.at = time;
  }

  function settle(time: number): void {
    if (owner !== null) {
      const known = taken.get(owner) ?? { ms: 0, at: time };
      taken.set(owner, known);
      charge(known, time - since, time);
      charge(all, time - since, time);
    }
    since = time;
  }

  function come(workspaceId: string): void {
    const at = now();
    if (last.workspaceId === workspaceId) last.at = at;
    else [last, before] = [{ workspaceId, at }, last];
    contested = at - before.at <= LATELY_MS;
  }

  /**
   * Whether no other workspace has lately asked for something that may begin. Nobody waits for the sake of one that
   * must wait itself.
   */
  function isAlone(workspaceId: string): boolean {
    const lately = now() - LATELY_MS;
    // The latest first.
    for (const [other, at] of askedAt.entries()) {
      if (at < lately) return true;
      if (other !== workspaceId && !lines.has(other)) return false;
    }
    return true;
  }

  /** How long the next piece must wait. */
  function restOf(workspaceId: string): number {
    const known = taken.get(workspaceId);
    if (!known || isAlone(workspaceId)) return 0;
    const time = now();
    const mine = left(known, time);
    const most = Math.max(PART * WINDOW_MS, TIMES * (left(all, time) - mine));
    return mine > most ? WINDOW_MS * Math.log(mine / most) : 0;
  }

  /** The same for pieces of requests and uploads. */
  const restOfAsked = (workspaceId: string): number =>
    (underWay.get(workspaceId) ?? 0) > FEW ? restOf(workspaceId) : 0;

  async function restEnough(workspaceId: string, needed: (workspaceId: string) => number): Promise<void> {
    for (let rested = 0; rested < MOST_REST_MS; ) {
      const ms = Math.min(needed(workspaceId), MOST_REST_MS - rested);
      if (ms <= 0) return;
      const whole = Math.ceil(ms);
      await rest(whole);
      rested += whole;
    }
  }

  /** Those that wait for as long as it takes may stand before the first whose time is limited; behind that, times end later. */
  function refuseLate(line: Waiting[], time: number): void {
    for (;;) {
      const at = line.findIndex(({ until }) => until !== Number.POSITIVE_INFINITY);
      const first = line[at];
      if (!first || first.until > time) return;
      line.splice(at, 1);
      first.begin(false);
    }
  }

  async function serve(workspaceId: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) {
      await restEnough(workspaceId, restOfAsked);
      refuseLate(line, now());
      line.shift()?.begin(true);
      for (let n = isAlone(workspaceId) ? 0 : ROUNDS; n > 0; n -= 1) await nextRound();
    }
    lines.delete(workspaceId);
  }

  return {
    worksFor(workspaceId) {
      if (!contested && owner === null && lines.size === 0) return;
      settle(now());
      owner = workspaceId;
      if (inRound) return;
      inRound = true;
      inNextRound(() => {
        inRound = false;
        settle(now());
        owner = null;
      });
    },
    underWay(workspaceId) {
      underWay.set(workspaceId, (underWay.get(workspaceId) ?? 0) + 1);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const others = (underWay.get(workspaceId) ?? 1) - 1;
        if (others > 0) underWay.set(workspaceId, others);
        else underWay.delete(workspaceId);
      };
    },
    begin(workspaceId, until = Number.POSITIVE_INFINITY) {
      askedAt.set(workspaceId, now());
      come(workspaceId);
      if (!contested && lines.size === 0) return undefined;
      const line = lines.get(workspaceId);
      if (!line && restOfAsked(workspaceId) === 0) return undefined;
      return new Promise((begin) => {
        if (line) return void line.push({ begin, until });
        const begun = [{ begin, until }];
        lines.set(workspaceId, begun);
        void serve(workspaceId, begun);
      });
    },
    beginBeside(workspaceId) {
      come(workspaceId);
      return restOf(workspaceId) > 0 ? restEnough(workspaceId, restOf) : undefined;
    },
    othersAsk: (workspaceId) => !isAlone(workspaceId),
  };
}

/** There is one thread. */
export const threadShares = createThreadShares();
