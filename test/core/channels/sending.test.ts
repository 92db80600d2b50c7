import { newMessage } from '../../../core/channels/new-message.js';
import { createSending } from '../../../core/channels/sending.js';
import { ChannelFailure } from '../../../core/ports/channel.port.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { OutgoingRow } from '../../../core/ports/store/channels/channel-flow.js';
import t from '../../support/t.js';

const NOW_MS = 1_800_000_000_000;

/** Sends a message whose lease ends in `leftMs`. Returns the calls, and when messages are due again. */
async function sendsWith(leftMs: number) {
  const calls: string[] = [];
  const again: number[] = [];
  const { id, ...parts } = newMessage(
    { agentId: 'a', accountId: '1', personId: '9', kind: 'answer', text: 'x', expiresAtMs: NOW_MS * 2 },
    NOW_MS,
  );
  const row: OutgoingRow = { ...parts, id, status: 'sending', attempts: 1, dueAtMs: NOW_MS + leftMs };
  const queue = [{ row, connection: { agentId: 'a', status: 'connected', restMs: 0 } }];
  const { sends } = createSending({
    channel: {
      async send(_account: object, { text }: { text: string }) {
        calls.push(text);
        return { messageId: 'm', personId: '9' };
      },
    },
    flow: {
      claimOutgoing: async () => queue.splice(0),
      async again(_row: object, { dueAtMs }: { dueAtMs: number }) {
        again.push(dueAtMs);
        return 'waiting';
      },
    },
    access: { of: () => ({ token: 'token', senderId: '1' }) },
    sent: { confirm: async () => {} },
    clock: { now: () => NOW_MS },
    onEnd() {},
    log: silentLog,
  } as unknown as Parameters<typeof createSending>[0]);
  await sends.round();
  await sends.stop();
  return { calls, again };
}

t.test('no call begins that may outlast the lease of its message', async (t) => {
  // A call takes at most 15 s. Afterwards, another process may send the message.
  t.strictSame(await sendsWith(15_000), { calls: ['x'], again: [] });
  t.strictSame(await sendsWith(14_999), { calls: [], again: [NOW_MS] }, 'it is claimed anew');
  t.strictSame(await sendsWith(-1), { calls: [], again: [] }, 'another process has it by now');
});

/** Looks once for an unclear message while the platform is away. Returns since when it looked, and when it looks again. */
async function looksFor(beganAtMs: number) {
  const since: number[] = [];
  const due: number[] = [];
  const { id, ...parts } = newMessage(
    { agentId: 'a', accountId: '1', personId: '9', kind: 'answer', text: 'x', expiresAtMs: NOW_MS * 2 },
    NOW_MS,
  );
  const row: OutgoingRow = { ...parts, id, status: 'sending', attempts: 1, beganAtMs };
  const queue = [{ row, connection: { agentId: 'a', status: 'connected', accountId: '1' } }];
  const { unclear } = createSending({
    channel: {
      async recent(_account: object, _personId: string, at: number) {
        since.push(at);
        throw new ChannelFailure('TIMEOUT', { sure: false });
      },
    },
    flow: {
      claimUnclear: async () => queue.splice(0),
      async postpone(_row: object, { dueAtMs }: { dueAtMs: number }) {
        due.push(dueAtMs);
      },
    },
    access: { of: () => ({ token: 'token', senderId: '1' }), noteFailure: async () => 0 },
    clock: { now: () => NOW_MS },
    onEnd() {},
    log: silentLog,
  } as unknown as Parameters<typeof createSending>[0]);
  await unclear.round();
  await unclear.stop();
  return { since, due };
}

t.test('an attempt while the clock was ahead is looked up a day back, and again after 5 s', async (t) => {
  const now = NOW_MS / 1000;
  t.strictSame(await looksFor(NOW_MS + 3_600_000), { since: [now - 86_405], due: [NOW_MS + 5000] });
  t.strictSame(await looksFor(NOW_MS - 60_000), { since: [now - 65], due: [NOW_MS + 60_000] }, 'doubled');
});
