import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerRequest } from '../../../core/chat/answerer.js';
import { createAnswerSaver, LEASE_MS } from '../../../core/conversations/answer-saver.js';
import { createAnswers } from '../../../core/conversations/answers.js';
import { systemClock } from '../../../core/ports/clock.port.js';
import type { Log } from '../../../core/ports/log.port.js';
import type { MessageRow } from '../../../core/ports/store/conversations/conversation-rows.js';
import type { AnswerSave, Conversations } from '../../../core/ports/store/conversations/conversations.js';
import { onTrail, trailFields } from '../../../core/tracing/trail.js';
import { says } from '../../support/scripted-answerer.js';
import t from '../../support/t.js';
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

t.test('keeps the lease of an answer whose last turn is queued', async (t) => {
  const saves: AnswerSave[] = [];
  let isLastTurnQueued = false;
  let endTurn = () => {};
  const lastTurn = new Promise<null>((resolve) => {
    endTurn = () => resolve(null);
  });
  const answers = createAnswers({
    answerer: { answer: (request, signal) => says('An answer.')(request, signal) },
    conversations: {
      turns: {
        run() {
          isLastTurnQueued = true;
          return lastTurn;
        },
      } as unknown as Conversations['turns'],
      saves: {
        async save(batch: AnswerSave[]) {
          if (isLastTurnQueued) saves.push(...batch);
          return [];
        },
        stopRequests: async () => [],
      } as unknown as Conversations['saves'],
    },
    clock: systemClock,
    deadlineMs: 10_000,
    toolResultTtlSeconds: 1,
    onFree() {},
    onEnd() {},
    log: { info() {} } as unknown as Log,
  });
  // The lease has to be extended at once.
  const lease = { token: '', untilMs: Date.now() + LEASE_MS / 2 };
  answers.begin({
    message: { id: 1, conversationId: '', lease } as unknown as MessageRow,
    agentId: '',
    workspaceId: '',
    share: '',
    requestId: '',
    token: '',
    place: { isExtractive: true, release() {} },
    request: async () => ({}) as AnswerRequest,
  });
  await until('the lease to be extended', () => saves.length > 0);
  t.match(saves[0], { messageId: 1, script: null, toolCalls: [] });
  endTurn();
  await answers.settled(5000);
  t.equal(answers.size, 0);
});
