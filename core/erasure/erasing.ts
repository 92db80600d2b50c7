import { setTimeout } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Conversations } from '../conversations/conversations.js';
import type { Sweep } from '../jobs/sweeper.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { ErasureClaim, Erasures, PersonKind } from '../ports/store/erasures.js';
import type { Keyring } from '../secrets/keyring.js';
import type { PersonHash } from './person-hash.js';

const ROUND_MS = 1000;
/** Another process continues an erasure that has made no progress for this long. */
export const ERASURE_LEASE_MS = 120_000;
/** Conversations whose traces in other tables are looked for together: each search examines many rows. */
const ROUND = 500;
/** Conversations that are deleted between two renewals of the lease. */
const STEP = 20;
const FORGET_MS = 60_000;
const DAY_S = 86_400;
/** Erasures are kept for a while, so that an operator can prove them. They name no person. */
const KEEP_S = 400 * DAY_S;
/** Longest chain of renewals of a visitor's token. */
const TOKENS_S = 90 * DAY_S;

export interface ErasureRequest {
  workspaceId: string;
  kind: PersonKind;
  person: string;
  agentIds: string[];
}

export interface Erasing {
  /** Stores the request. Sweeps delete the data. Returns the id of the erasure. */
  request(request: ErasureRequest): Promise<string>;
  readonly sweeps: Sweep[];
}

interface ErasingOptions {
  store: { erasures: Erasures };
  settings: { auth: { cacheTtlSeconds: number } };
  conversations: Pick<Conversations, 'erase'>;
  keyring: Pick<Keyring, 'seal' | 'open'>;
  personHash: PersonHash;
  clock: Clock;
}

/** Another process works on the erasure. */
class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Deletes all data of a person, in steps that can be repeated. */
export function createErasing({
  store: { erasures },
  settings,
  conversations,
  keyring,
  personHash,
  clock,
}: ErasingOptions): Erasing {
  /** How long other processes may accept a token that was closed. */
  const settleMs = settings.auth.cacheTtlSeconds * 1000;

  /** Returns a function that extends the lease of an erasure. It throws LeaseLost if another process has taken it over. */
  function renewing({ id, leaseUntilMs }: ErasureClaim): () => Promise<void> {
    let until = leaseUntilMs;
    return async () => {
      const renewed = await erasures.renew(id, until, clock.now() + ERASURE_LEASE_MS);
      if (renewed === null) throw new LeaseLost();
      until = renewed;
    };
  }

  async function erase(claim: ErasureClaim): Promise<void> {
    const { id, workspaceId, kind, personHash: hash, agentIds } = claim;
    const person = new TextDecoder().decode(keyring.open(workspaceId, claim.person));
    const renew = renewing(claim);

    /** Deletes deliveries that name one of the ids, after one of them. Returns the last one examined. */
    async function eraseDeliveries(ids: ReadonlySet<string>, from = ''): Promise<string> {
      for (let after = from; ids.size > 0; ) {
        const next = await erasures.eraseDeliveries(claim, ids, after);
        await renew();
        if (next === null) return after;
        after = next;
      }
      return from;
    }

    async function eraseConversations(agentId: string): Promise<void> {
      for (;;) {
        const ids = await erasures.conversations(agentId, person, ROUND);
        if (ids.length === 0) return;
        // First, because the ids of deleted conversations are no longer known after a crash.
        const examined = await eraseDeliveries(new Set(ids));
        const sources = await erasures.sourcesFor(agentId, ids);
        if (sources.length > 0) await erasures.addSources(id, sources);
        await erasures.eraseTraces(claim, agentId, ids);
        for (const [n, conversationId] of ids.entries()) {
          await conversations.erase(conversationId, id);
          if (n % STEP === 0) await renew();
        }
        // Answers that the deletion has ended may have caused further ones.
        await eraseDeliveries(new Set(ids), examined);
      }
    }

    async function erasePerson(agentId: string): Promise<void> {
      const of = { agentId, workspaceId, kind, person };
      await eraseDeliveries(new Set(await erasures.contactsOf(of)));
      await erasures.erasePerson(id, of);
      await renew();
    }

    async function eraseAll(): Promise<void> {
      for (const agentId of agentIds) {
        if (kind === 'userId') await eraseConversations(agentId);
        await erasePerson(agentId);
      }
    }

    const now = seconds(clock.now());
    if (kind === 'userId') await erasures.closeTokens(agentIds, hash, { now, endsAt: now + TOKENS_S });
    await eraseAll();
    if (kind === 'userId' && settleMs > 0) {
      // Other processes accept the closed tokens until their caches end.
      await setTimeout(settleMs);
      await eraseAll();
    }
    await erasures.end(id, seconds(clock.now()));
  }

  return {
    async request({ workspaceId, kind, person, agentIds }) {
      const nowMs = clock.now();
      const id = uuidv7({ msecs: nowMs });
      const sealed = keyring.seal(workspaceId, new TextEncoder().encode(person));
      const hash = personHash(kind, person);
      await erasures.add(
        { id, workspaceId, kind, person: sealed, personHash: hash, agentIds, createdAt: seconds(nowMs) },
        null,
      );
      return id;
    },
    sweeps: [
      {
        name: 'erasures',
        everyMs: ROUND_MS,
        async run() {
          const nowMs = clock.now();
          const claim = await erasures.claim(nowMs, nowMs + ERASURE_LEASE_MS);
          if (claim)
            await erase(claim).catch((error: unknown) => {
              if (!(error instanceof LeaseLost)) throw error;
            });
          return claim !== null;
        },
      },
      {
        name: 'old-erasures',
        everyMs: FORGET_MS,
        run: () => erasures.forget(seconds(clock.now()) - KEEP_S, seconds(clock.now())),
      },
    ],
  };
}
