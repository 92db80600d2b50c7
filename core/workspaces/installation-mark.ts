import type { Clock } from '../ports/clock.port.js';
import type { Health } from '../ports/health.js';
import type { Log } from '../ports/log.port.js';
import { ForeignMessage } from '../ports/queue.port.js';
import type { Storage } from '../ports/storage.port.js';
import { shortId } from './installation-id.js';

/** Holds the id of the installation that came first: what nobody knows is removed for it alone. */
export const OWNER = 'installation/owner';
/** Holds the id of another one that came later. */
export const SHARED = 'installation/shared';
/** How the path of each installation's mark begins. */
export const MARK = 'installation/mark-';
/** Says that the installation works with this storage. */
const markOf = (installation: string): string => `${MARK}${installation}`;
/** A name from a message becomes part of a path. */
const isId = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

export interface StorageMarks {
  /** Leaves our mark where it is missing, and looks who else is there. Rejects with STORAGE_FAILED. */
  look(): Promise<void>;
  /** Not well while the storage belongs to another installation, too. */
  health(): Promise<Health>;
}

/** The API's side. Marks follow from the database's secret: all processes of an installation leave the same. */
export function storageMarks(
  storage: Pick<Storage, 'get' | 'put'>,
  installation: string,
  log: Log,
): StorageMarks {
  let trouble: string | null = null;

  return {
    async look() {
      const mark = markOf(installation);
      if ((await storage.get(mark)) === null) await storage.put(mark, Buffer.from(installation));
      const { owner, other, reason } = await whoseStorage(storage, installation);
      // Two that start at once find out in the next round which of them was the last.
      if (owner === null) await storage.put(OWNER, Buffer.from(installation));
      else if (other === owner) await storage.put(SHARED, Buffer.from(installation));
      if (reason !== null && reason !== trouble) log.error({}, reason);
      trouble = reason;
    },
    health: async () => (trouble === null ? { ok: true } : { ok: false, reason: trouble }),
  };
}

interface WhoseStorage {
  owner: string | null;
  /** Another installation that works with it. */
  other: string | null;
  /** In words; null while there is no other. */
  reason: string | null;
}

/** Looks, and writes nothing. */
export async function whoseStorage(
  storage: Pick<Storage, 'get'>,
  installation: string,
): Promise<WhoseStorage> {
  const read = async (path: string) => (await storage.get(path))?.toString() ?? null;
  const [owner, shared] = [await read(OWNER), await read(SHARED)];
  const other = [owner, shared].find((id) => id !== null && id !== installation) ?? null;
  if (other === null) return { owner, other, reason: null };
  return {
    owner,
    other,
    reason: `the storage is also that of another installation (${shortId(other)}, this one is ${shortId(installation)}): objects that nobody knows are not removed, and workers take the tasks of both. Give each a container or folder of its own; if the other is gone, delete "${OWNER}" and "${SHARED}"`,
  };
}

/** Whether the storage is this installation's alone, so that what its database does not know is nobody's. */
export async function ownsStorageAlone(
  storage: Pick<Storage, 'get'>,
  installation: string,
): Promise<boolean> {
  const { owner, other } = await whoseStorage(storage, installation);
  return owner === installation && other === null;
}

export interface KnownMarks {
  /**
   * Whether the tasks of an installation are taken: it has left its mark, or came first. Where nobody has left one,
   * tasks that read nothing from the storage are. Also rejects with ForeignMessage while the storage cannot tell.
   */
  has(installation: string, readsStorage: boolean): Promise<boolean>;
}

/** Where an installation that a message names stands to a storage. */
type Standing = 'known' | 'other' | 'nobody has been here';

/** A mark that is missing is looked for again so much later: the API may start after its worker. */
const LOOK_AGAIN_MS = 2000;
/** Ids of others that are remembered. */
const MOST_MISSING = 100;

/** The worker's side: it asks once for an installation that is there. */
export function knownMarks(
  storage: Pick<Storage, 'get'>,
  { clock, log }: { clock: Clock; log: Log },
): KnownMarks {
  const there = new Set<string>();
  const missing = new Map<string, { untilMs: number; answer: Promise<Standing> }>();
  let silent = false;
  let unmarked = false;

  /**
   * An API of an earlier version leaves no mark, but it may have come first. That no API has been here is a
   * mistake, but of no other installation: short results come with the events, and reach whoever asked.
   */
  async function unmarkedStanding(installation: string): Promise<Standing> {
    const owner = await storage.get(OWNER);
    if (owner !== null) return owner.toString() === installation ? 'known' : 'other';
    if (!unmarked)
      log.error(
        {},
        "this worker's storage has no mark of an API: it takes no files, and long pages fail. Give it the storage of its API",
      );
    unmarked = true;
    return 'nobody has been here';
  }

  async function ask(installation: string): Promise<Standing> {
    try {
      const isMarked = (await storage.get(markOf(installation))) !== null;
      if (isMarked) there.add(installation);
      const standing = isMarked ? 'known' : await unmarkedStanding(installation);
      silent = false;
      return standing;
    } catch (error) {
      if (!silent) log.warn({ err: error }, 'the storage does not tell whose tasks come; they go back');
      silent = true;
      throw new ForeignMessage('the storage does not tell whose task this is');
    }
  }

  function standingOf(installation: string): Promise<Standing> {
    const known = missing.get(installation);
    if (known !== undefined && clock.now() < known.untilMs) return known.answer;
    if (missing.size >= MOST_MISSING) missing.clear();
    const answer = ask(installation);
    missing.set(installation, { untilMs: clock.now() + LOOK_AGAIN_MS, answer });
    return answer;
  }

  return {
    async has(installation, readsStorage) {
      if (there.has(installation)) return true;
      if (!isId(installation)) return false;
      const standing = await standingOf(installation);
      return standing === 'known' || (standing === 'nobody has been here' && !readsStorage);
    },
  };
}
