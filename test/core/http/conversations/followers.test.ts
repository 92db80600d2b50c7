import type { AnswerState } from '../../../../core/conversations/answer-state.js';
import { bareMessage } from '../../../../core/conversations/messages.js';
import { answerStream } from '../../../../core/http/conversations/answer-stream.js';
import type { Position } from '../../../../core/http/conversations/event-position.js';
import type { Script } from '../../../../core/ports/store/conversations/conversation-rows.js';
import t from '../../../support/t.js';

const asked = { agentId: 'a', conversationId: 'c', userId: null, userMessageId: 1, messageId: 2 };

const stateOf = (text: string, ...more: Script): AnswerState => ({
  kind: 'message',
  message: {
    ...bareMessage,
    id: 2,
    conversationId: 'c',
    role: 'assistant',
    status: 'completed',
    finishReason: 'stop',
    createdAt: 1,
    script: [{ kind: 'text', part: 0, text }, ...more],
  },
});

async function followed(states: AnswerState[], position: Position | null = null) {
  const follow = async function* () {
    yield* states;
  };
  const { signal } = new AbortController();
  const pieces = [];
  for await (const piece of answerStream({ follow }, asked as never, {
    position,
    keepAliveMs: 1000,
    signal,
    audience: 'key',
    stateOf: async () => null,
  }))
    pieces.push(piece);
  return pieces;
}

t.test('followers of one answer share its encoded events', async (t) => {
  const state = stateOf('Hold the button.');
  const [first, second] = [await followed([state]), await followed([state])];
  t.equal(first.length, 6);
  t.ok(first.slice(0, -1).every(Buffer.isBuffer));
  for (const [n, piece] of first.entries()) t.equal(piece, second[n], 'the same bytes in memory');
  const text = first.map(String).join('');
  t.equal((await followed([stateOf('Hold the button.')])).map(String).join(''), text);
});

t.test('a follower that begins in the middle gets the rest', async (t) => {
  const state = stateOf('Hold the button.');
  await followed([state]);
  for (const offset of [1, 2, 3, 4, 5, 6, 7]) {
    const rest = (await followed([state], { part: 0, offset, beside: 0 })).map(String).join('');
    t.match(rest, JSON.stringify({ type: 'text-delta', id: '0', delta: 'Hold the button.'.slice(offset) }));
    t.notMatch(rest, 'text-start');
  }
});

t.test('a slow follower of a long answer holds only a few events', async (t) => {
  let encoded = 0;
  const citation = {
    get sourceId() {
      encoded += 1;
      return 's';
    },
    url: 'https://a.example/',
  };
  const state = stateOf('x'.repeat(100_000), { kind: 'source', citation: citation as never });
  const follow = async function* () {
    yield state;
  };
  const { signal } = new AbortController();
  const from = {
    ...{ position: null, keepAliveMs: 1000, signal },
    audience: 'key' as const,
    stateOf: async () => null,
  };
  const stream = answerStream({ follow }, asked as never, from);
  await stream.next();
  t.equal(encoded, 0, 'the end is encoded when it is sent');
  let pieces = 1;
  for await (const _ of stream) pieces += 1;
  t.equal(encoded, 1);
  t.equal(pieces, 31);
});
