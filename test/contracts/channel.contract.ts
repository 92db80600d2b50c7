import assert from 'node:assert/strict';
import type { ChannelFailureCode } from '../../core/errors/channel-failures.js';
import type { Channel, ChannelAccess, ChannelItems } from '../../core/ports/channel.port.js';
import type { ChannelPlugin } from '../../core/ports/plugin.port.js';
import { contextOf } from './plugin-context.js';

/** A local stand-in for the platform, with one account that has all permissions and one person. */
export interface ChannelStage {
  token: string;
  accountId: string;
  personId: string;
  /** The query of a subscription with the right token. */
  subscription: Record<string, string>;
  /** A signed body with one message of the person. */
  signedMessage(text: string): { headers: Record<string, string>; raw: Uint8Array; messageId: string };
  /** The next call fails so. `unclear` fails after the platform has done the work. */
  failNext(how: { code: ChannelFailureCode } | 'unclear'): void;
  /** What the person has received, oldest first. */
  received(): string[];
  /** The id of a new comment of the person. */
  comment(): string;
}

/** Returns the plugin under test with valid options, and its platform. */
export type MakeChannel<Options> = () => Promise<{
  plugin: ChannelPlugin<Options>;
  options: Options;
  stage: ChannelStage;
  close(): Promise<void>;
}>;

/** Declares a test; compatible with `test` of node:test and of tap. */
export type DeclareTest = (name: string, body: () => Promise<void>) => unknown;

interface Subject {
  port: Channel;
  stage: ChannelStage;
  access: ChannelAccess;
  stop(): Promise<void>;
}

/** Codes that a platform can report without having done anything. */
const refusals = [
  'TOKEN_INVALID',
  'PERMISSION_MISSING',
  'WINDOW_CLOSED',
  'RATE_LIMITED',
  'BLOCKED',
  'RECIPIENT_UNAVAILABLE',
  'INVALID_CONTENT',
] as const satisfies ChannelFailureCode[];

/** Tests every promise of the channel port for any plugin. Needs only Node. */
export function describeChannelContract<Options>(
  declare: { test: DeclareTest },
  make: MakeChannel<Options>,
): void {
  const test = (name: string, body: (subject: Subject) => Promise<void>): unknown =>
    declare.test(name, () => withSubject(make, body));

  test('inspecting a token names the account and its permissions', async ({ port, stage }) => {
    const account = await port.inspect(stage.token);
    assert.equal(account.accountId, stage.accountId);
    assert.deepEqual([...account.permissions].sort(), ['comments', 'messages']);
    const error = await failureOf(port.inspect(`${stage.token}-no-more`));
    assert.equal(error.code, 'TOKEN_INVALID');
  });

  test('a subscription is answered only with the right token', async ({ port, stage: { subscription } }) => {
    assert.equal(port.verify(subscription), subscription['hub.challenge']);
    assert.equal(port.verify({ ...subscription, 'hub.verify_token': 'wrong' }), null);
    assert.equal(port.verify({}), null);
  });

  test('events are accepted only with the signature of their bytes', async ({ port, stage }) => {
    const { headers, raw, messageId } = stage.signedMessage('Grüße 👋');
    assert.ok(port.isSigned(headers));
    const parsed = port.parse(headers, raw);
    assert.ok(parsed.ok);
    const [event, ...more] = parsed.events;
    assert.equal(more.length, 0);
    assert.ok(event?.kind === 'message');
    assert.deepEqual(
      [event.accountId, event.personId, event.messageId, event.text],
      [stage.accountId, stage.personId, messageId, 'Grüße 👋'],
    );
    for (let bit = 0; bit < raw.length * 8; bit += 37) {
      const flipped = Uint8Array.from(raw);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.deepEqual(port.parse(headers, flipped), { ok: false, refusal: 'forbidden' }, `bit ${bit}`);
    }
    const again = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(raw).toString()), null, 1));
    assert.deepEqual(port.parse(headers, again), { ok: false, refusal: 'forbidden' }, 're-serialised');
    assert.equal(port.isSigned({}), false);
    assert.deepEqual(port.parse({}, raw), { ok: false, refusal: 'forbidden' });
  });

  test('a message arrives, and is listed among the recent ones', async ({ port, stage, access }) => {
    const since = Math.floor(Date.now() / 1000) - 5;
    const sent = await port.send(access, { personId: stage.personId, text: 'Zwölf 十二', id: 'row-1' });
    assert.equal(sent.personId, stage.personId);
    assert.deepEqual(stage.received(), ['Zwölf 十二']);
    const recent = await port.recent(access, stage.personId, since);
    assert.ok(recent?.some(({ messageId, isFromAccount }) => messageId === sent.messageId && isFromAccount));
  });

  test('a private reply names the author of the comment', async ({ port, stage, access }) => {
    const message = { commentId: stage.comment(), text: 'Here you are', id: 'row-1' };
    assert.equal((await port.privateReply(access, message)).personId, stage.personId);
    assert.deepEqual(stage.received(), ['Here you are']);
  });

  test('a published menu and published starters are read back, and can be cleared', async ({
    port,
    access,
  }) => {
    const items: ChannelItems = {
      'persistent-menu': [
        { title: 'Hours', message: 'When are you open?' },
        { title: 'Shop', url: 'https://acme.com/' },
      ],
      'conversation-starters': [{ question: 'Where are you?' }],
    };
    for (const resource of ['persistent-menu', 'conversation-starters'] as const) {
      assert.deepEqual(await port.profile(access, resource), []);
      await port.publish(access, resource, items[resource]);
      assert.deepEqual(await port.profile(access, resource), items[resource]);
      await port.clear(access, resource);
      assert.deepEqual(await port.profile(access, resource), []);
    }
  });

  for (const code of refusals)
    test(`a refusal with ${code} is reported as such, and as sure`, async ({ port, stage, access }) => {
      stage.failNext({ code });
      const error = await failureOf(port.send(access, { personId: stage.personId, text: 'x', id: 'row' }));
      assert.deepEqual([error.code, error.sure], [code, true]);
      assert.doesNotMatch(`${error.message} ${error.stack}`, /upstream text|token-of/);
      assert.deepEqual(stage.received(), []);
    });

  test('a call that may have been done is not sure', async ({ port, stage, access }) => {
    stage.failNext('unclear');
    const error = await failureOf(port.send(access, { personId: stage.personId, text: 'x', id: 'row' }));
    assert.equal(error.sure, false);
    assert.deepEqual(stage.received(), ['x']);
  });

  test('after stopping (twice) every call rejects, and the health is bad', async ({
    port,
    stage,
    access,
    stop,
  }) => {
    assert.deepEqual(await port.health(), { ok: true });
    await stop();
    await stop();
    assert.equal((await port.health()).ok, false);
    await failureOf(port.send(access, { personId: stage.personId, text: 'x', id: 'row' }));
  });
}

/** By its fields, because a plugin may not have our class. */
async function failureOf(
  call: Promise<unknown>,
): Promise<Error & { code: ChannelFailureCode; sure: boolean }> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error, 'the call must reject with an Error');
  const { code, sure } = error as Error & { code?: unknown; sure?: unknown };
  assert.equal(typeof code, 'string', 'the error must have a code');
  assert.equal(typeof sure, 'boolean', 'the error must say whether it is sure');
  return error as Error & { code: ChannelFailureCode; sure: boolean };
}

async function withSubject<Options>(
  make: MakeChannel<Options>,
  body: (subject: Subject) => Promise<void>,
): Promise<void> {
  const { plugin, options, stage, close } = await make();
  const { port, stop } = await plugin.start(contextOf(options));
  try {
    const { senderId } = await port.inspect(stage.token);
    const access = { token: stage.token, senderId };
    await port.connect(access);
    await body({ port, stage, access, stop: () => stop({ deadlineMs: 1000 }) });
  } finally {
    await stop({ deadlineMs: 1000 });
    await close();
  }
}
