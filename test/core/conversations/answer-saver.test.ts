import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { createAnswerSaver, LEASE_MS } from '../../../core/conversations/answer-saver.js';
import { systemClock } from '../../../core/ports/clock.port.js';
import type { Log } from '../../../core/ports/log.port.js';
import { onTrail, trailFields } from '../../../core/tracing/trail.js';
import { until } from '../../support/until.js';

/** More than one commit saves. */
const ANSWERS = 250;
/** Longer than the interval between two saves of an answer. */
const COMMIT_MS = 60;

t.test('saves each of many answers that never stop writing', async (t) => {
  const seen = new Set<number>();
  const names = new Set<string>();
  const saver = createAnswerSaver({
    saves: {
      async save(batch) {
        names.add(JSON.stringify(trailFields()));
        await pause(COMMIT_MS);
        for (const { messageId } of batch) seen.add(messageId);
        return [];
      },
    },
    clock: systemClock,
    log: { warn() {} } as unknown as Log,
  });
  const answers = Array.from({ length: ANSWERS }, (_, messageId) => ({
    messageId,
    conversationId: '',
    token: '',
    unsaved: () => ({ script: {} as never, toolCalls: [] }),
    saved: () => saver.wrote(answer(messageId), 1),
    lost() {},
  }));
  const answer = (messageId: number) => answers[messageId] as (typeof answers)[number];
  t.teardown(() => {
    for (const each of answers) saver.remove(each);
  });
  await onTrail({ requestId: 'of the first' }, null, async () => {
    for (const each of answers) {
      saver.add(each, Date.now() + LEASE_MS);
      saver.wrote(each, 1);
    }
    await until('all of them to be saved', async () => seen.size === ANSWERS, 8000);
  });
  t.same([...names], ['{}'], 'log lines about all carry the ids of none');
});
