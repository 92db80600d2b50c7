import { setTimeout as sleep } from 'node:timers/promises';
import type { FakePlatform, Fault } from '../../test/support/fake-platform.js';
import type { Caller } from './caller.js';
import type { Installation } from './installation.js';
import type { Random } from './random.js';
import type { Tally } from './tally.js';

/** The people on the social platform, with their messages. */
export interface SocialLedger {
  platform: FakePlatform;
  people: { accountId: string; personId: string; texts: string[] }[];
  commenters: { accountId: string; personId: string }[];
}

const ACCOUNTS = ['501', '502'];
const POST = '17900';
const MOST_MESSAGES = 5;
/** Longest wait for an answer before the person writes again, in milliseconds. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 100;

/** Connects an agent to each account. Before the faults begin. */
export async function connectAccounts(caller: Caller, platform: FakePlatform): Promise<SocialLedger> {
  for (const accountId of ACCOUNTS) {
    const { token } = platform.account(accountId);
    const made = await caller.call<{ id: string }>('POST', '/agents', { name: `social ${accountId}` });
    if (made.kind !== 'done') throw new Error('the agent of a social account was not created');
    const social = `/agents/${made.body.id}/channels/social`;
    const automation = {
      type: 'comment_to_dm',
      status: 'live',
      name: 'Any',
      postScope: 'any',
      message: 'Hi',
    };
    const answers = [
      await caller.call('POST', social, { accessToken: token }),
      await caller.call('POST', `${social}/automations`, automation),
    ];
    if (answers.some(({ kind }) => kind !== 'done')) throw new Error('a social account was not connected');
  }
  platform.repeats = true;
  return { platform, people: [], commenters: [] };
}

/** Sends events to the processes that run: a restarted one has another address. Returns a function that ends this. */
export function followAddresses({ apis, platform }: Pick<Installation, 'apis' | 'platform'>): () => void {
  const timer = setInterval(() => {
    platform.hooks = apis.flatMap(({ process }) => (process ? [`${process.baseUrl}/hooks/social`] : []));
  }, LOOK_MS);
  return () => clearInterval(timer);
}

const faults: readonly [Fault, ...Fault[]] = [
  { does: 'cut', after: true },
  { does: 'cut', after: false },
  { does: 'hang', after: true },
  { does: 'refuse', status: 500, code: 2 },
];

/**
 * Writes as one person after the other, comments, and makes calls of the platform fail. A person waits for the answer
 * for a while. Events are repeated until they are accepted, and some are also sent twice.
 */
export async function writeToAccounts(
  visitor: number,
  {
    ledger: { platform, people, commenters },
    random,
    tally,
    over,
  }: { ledger: SocialLedger; random: Random; tally: Tally; over: () => boolean },
): Promise<void> {
  let counter = 0;
  const newPerson = (): string => `${visitor + 1}${String(++counter).padStart(6, '0')}`;
  const deliver = async (event: object): Promise<void> => {
    const times = random.chance(0.2) ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => platform.deliver(event)));
    tally.add('social: events accepted', times);
  };

  async function comment(): Promise<void> {
    const accountId = random.pick(ACCOUNTS as [string, ...string[]]);
    const personId = newPerson();
    commenters.push({ accountId, personId });
    await deliver(platform.event.comment(accountId, personId, POST, 'How much is it?'));
  }

  async function write(): Promise<void> {
    const accountId = random.pick(ACCOUNTS as [string, ...string[]]);
    const person = { accountId, personId: newPerson(), texts: [] as string[] };
    people.push(person);
    const messages = random.between(1, MOST_MESSAGES);
    for (let n = 1; n <= messages && !over(); n += 1) {
      const text = `Question ${n} of ${person.personId}?`;
      person.texts.push(text);
      const before = platform.received(accountId, person.personId).length;
      await deliver(platform.event.message(accountId, person.personId, text));
      const until = Date.now() + PATIENCE_MS;
      while (platform.received(accountId, person.personId).length === before && Date.now() < until && !over())
        await sleep(LOOK_MS);
    }
  }

  while (!over()) {
    if (random.chance(0.3)) {
      platform.fail(/POST .*messages$/, random.pick(faults));
      tally.add('social: calls of the platform that fail');
    }
    if (random.chance(0.3)) platform.dropHanging();
    await (random.chance(0.3) ? comment() : write());
    await sleep(random.between(0, 500));
  }
}
