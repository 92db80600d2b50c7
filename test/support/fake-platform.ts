import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * A fixture: a social platform with a graph-style HTTP API, in memory. It has accounts, posts, threads and profiles, sends
 * signed events, and fails on demand. It is not a part of the product.
 */

interface FakeMessage {
  id: string;
  text: string;
  isFromAccount: boolean;
  metadata: string | null;
  atMs: number;
}

/**
 * How the platform treats a call. `cut` drops the connection, after the work or instead of it; `answer` answers 200 with
 * another body.
 */
export type Fault =
  | { does: 'refuse'; status?: number; code?: number; subcode?: number }
  | { does: 'cut'; after: boolean }
  | { does: 'hang'; after: boolean }
  | { does: 'answer'; body: string; after: boolean };

interface FakeAccount {
  id: string;
  /** Names the account in calls. Another one than `id` is a page, which names the account in `linked_account`. */
  node: string;
  username: string;
  token: string;
  scopes: string[];
  /** Unix seconds; 0 for never. */
  expiresAt: number;
  isSubscribed: boolean;
  profile: Record<string, unknown>;
}

export interface FakePlatform {
  baseUrl: string;
  /** Options of the plugin `graph`. */
  options: { baseUrl: string; version: string; appSecret: string; verifyToken: string };
  account(id: string, changes?: Partial<FakeAccount>): FakeAccount;
  /** Where events are sent; several addresses take turns. */
  hooks: string[];
  /** Milliseconds since the epoch, for events. */
  now: () => number;
  /** Whether messages of the account are echoed. */
  echoes: boolean;
  /** Calls whose path matches `path` get these faults, in order. */
  fail(path: RegExp, ...faults: Fault[]): void;
  /** Messages with this text are refused as invalid; null refuses none. */
  refusedText: RegExp | null;
  /** Drops the faults that no call has met. */
  heal(): void;
  /** Paths of the calls so far, with their methods. */
  calls: string[];
  thread(accountId: string, personId: string): FakeMessage[];
  /** Texts that the account has sent to the person. */
  received(accountId: string, personId: string): string[];
  /** Bodies of events, unsent. */
  event: {
    message(accountId: string, personId: string, text: string, more?: object): object;
    tap(accountId: string, personId: string, payload: string): object;
    comment(accountId: string, personId: string, postId: string, text: string, id?: string): object;
    echo(accountId: string, personId: string, message: FakeMessage): object;
  };
  /** Whether events are sent again until they are accepted. */
  repeats: boolean;
  /** Sends an event, signed, and returns the status; 0 without an answer if it `repeats`. */
  deliver(body: object): Promise<number>;
  /** A person writes: the message is in the thread, and the event is sent. */
  write(accountId: string, personId: string, text: string, more?: object): Promise<number>;
  /** Somebody answers in the app of the platform. */
  answerByHand(accountId: string, personId: string, text: string): Promise<number>;
  /** Refuses connections until the returned function is called. */
  leave(): Promise<() => Promise<void>>;
  /** Drops the connections of hanging calls. */
  dropHanging(): void;
  close(): Promise<void>;
}

/** Pause before an event is sent again, and the time for an answer to it, in milliseconds. */
const AGAIN_MS = 200;
const DELIVERY_MS = 20_000;

const newId = (): string => `m_${randomBytes(12).toString('base64url')}`;

/** Calls that name no node, because their token does. */
const ofToken = ['me', 'debug_token', 'refresh_access_token'];

/** Signs a body like the platform. */
export const signed = (body: string | Uint8Array, secret: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

export async function startFakePlatform(
  secrets: { appSecret?: string; verifyToken?: string } = {},
): Promise<FakePlatform> {
  const appSecret = secrets.appSecret ?? 'fake-app-secret';
  const verifyToken = secrets.verifyToken ?? 'fake-verify-token';
  const accounts = new Map<string, FakeAccount>();
  const threads = new Map<string, FakeMessage[]>();
  /** Comment id to its author. */
  const authors = new Map<string, string>();
  const answered = new Set<string>();
  const faults: { path: RegExp; fault: Fault }[] = [];
  const hung = new Set<ServerResponse>();
  let sentEvents = 0;
  let isClosed = false;

  async function deliverOnce(raw: string): Promise<number> {
    const hook = platform.hooks[sentEvents++ % platform.hooks.length];
    if (hook === undefined) return 0;
    const response = await fetch(hook, {
      method: 'POST',
      headers: signed(raw, appSecret),
      body: raw,
      signal: AbortSignal.timeout(DELIVERY_MS),
    });
    await response.arrayBuffer();
    return response.status;
  }

  const threadOf = (accountId: string, personId: string): FakeMessage[] => {
    const key = `${accountId} ${personId}`;
    const thread = threads.get(key) ?? [];
    threads.set(key, thread);
    return thread;
  };
  const entry = (accountId: string, part: object) => ({
    object: 'account',
    entry: [{ id: accountId, time: Math.floor(platform.now() / 1000), ...part }],
  });
  const messaging = (accountId: string, from: string, to: string, part: object, atMs = platform.now()) =>
    entry(accountId, {
      messaging: [{ sender: { id: from }, recipient: { id: to }, timestamp: atMs, ...part }],
    });

  const platform: FakePlatform = {
    baseUrl: '',
    options: { baseUrl: '', version: 'v24.0', appSecret, verifyToken },
    hooks: [],
    now: Date.now,
    echoes: true,
    calls: [],
    refusedText: null,
    account(id, changes = {}) {
      const account: FakeAccount = {
        id,
        node: id,
        username: `account${id}`,
        token: `token-of-${id}`,
        scopes: ['business_manage_messages', 'business_manage_comments'],
        expiresAt: Math.floor(platform.now() / 1000) + 60 * 86_400,
        isSubscribed: false,
        profile: {},
        ...changes,
      };
      accounts.set(id, account);
      return account;
    },
    fail: (path, ...more) => void faults.push(...more.map((fault) => ({ path, fault }))),
    heal: () => void faults.splice(0),
    thread: threadOf,
    received: (accountId, personId) =>
      threadOf(accountId, personId)
        .filter(({ isFromAccount }) => isFromAccount)
        .map(({ text }) => text),
    event: {
      message: (accountId, personId, text, more = {}) =>
        messaging(accountId, personId, accountId, { message: { mid: newId(), text, ...more } }),
      tap: (accountId, personId, payload) =>
        messaging(accountId, personId, accountId, { postback: { mid: newId(), title: payload, payload } }),
      comment(accountId, personId, postId, text, id = String(Date.now()) + sentEvents++) {
        authors.set(id, personId);
        const value = { id, from: { id: personId, username: 'someone' }, media: { id: postId }, text };
        return entry(accountId, { changes: [{ field: 'comments', value }] });
      },
      echo: (accountId, personId, { id, text, metadata }) =>
        messaging(accountId, accountId, personId, {
          message: { mid: id, text, is_echo: true, ...(metadata === null ? {} : { metadata }) },
        }),
    },
    repeats: false,
    async deliver(body) {
      const raw = JSON.stringify(body);
      if (!platform.repeats) return deliverOnce(raw);
      for (;;) {
        const status = await deliverOnce(raw).catch(() => 0);
        if (status === 200 || isClosed) return status;
        await sleep(AGAIN_MS);
      }
    },
    write(accountId, personId, text, more = {}) {
      const message = { id: newId(), text, isFromAccount: false, metadata: null, atMs: platform.now() };
      threadOf(accountId, personId).push(message);
      return platform.deliver(
        platform.event.message(accountId, personId, text, { mid: message.id, ...more }),
      );
    },
    answerByHand(accountId, personId, text) {
      const message = { id: newId(), text, isFromAccount: true, metadata: null, atMs: platform.now() };
      threadOf(accountId, personId).push(message);
      return platform.deliver(platform.event.echo(accountId, personId, message));
    },
    async leave() {
      const { port } = server.address() as AddressInfo;
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      return async () => {
        server.listen(port, '127.0.0.1');
        await once(server, 'listening');
      };
    },
    dropHanging() {
      for (const response of hung) response.destroy();
      hung.clear();
    },
    async close() {
      isClosed = true;
      platform.dropHanging();
      server.closeAllConnections();
      server.close();
    },
  };

  const refuse = (response: ServerResponse, status: number, code: number, subcode?: number): void => {
    const error = { message: 'SECRET upstream text', type: 'OAuthException', code };
    reply(response, status, { error: subcode === undefined ? error : { ...error, error_subcode: subcode } });
  };

  function sendMessage(account: FakeAccount, body: Record<string, never>): object | null {
    const { recipient, message } = body as unknown as {
      recipient: { id?: string; comment_id?: string };
      message: { text: string; metadata?: string };
    };
    if (Buffer.byteLength(message.text) > 1000 || platform.refusedText?.test(message.text)) return null;
    const comment = recipient.comment_id;
    const personId = comment === undefined ? recipient.id : authors.get(comment);
    if (personId === undefined || (comment !== undefined && answered.has(comment))) return null;
    if (comment !== undefined) answered.add(comment);
    const sent = {
      id: newId(),
      text: message.text,
      isFromAccount: true,
      metadata: message.metadata ?? null,
      atMs: platform.now(),
    };
    threadOf(account.id, personId).push(sent);
    if (platform.echoes)
      void platform.deliver(platform.event.echo(account.id, personId, sent)).catch(() => {});
    return { recipient_id: personId, message_id: sent.id };
  }

  /** Does the work of a call; null is an invalid parameter. */
  function work(account: FakeAccount, method: string, url: URL, body: Record<string, never>): object | null {
    const [node, name] = url.pathname.split('/').slice(-2);
    if (!ofToken.includes(name ?? '') && node !== account.node) return null;
    switch (`${method} ${name}`) {
      case 'GET me':
        return account.node === account.id
          ? { id: account.id, user_id: account.id, username: account.username }
          : { id: account.node, linked_account: { id: account.id, username: account.username } };
      case 'GET debug_token':
        return { data: { is_valid: true, scopes: account.scopes, expires_at: account.expiresAt } };
      case 'GET refresh_access_token':
        account.token += '+';
        account.expiresAt = Math.floor(platform.now() / 1000) + 60 * 86_400;
        return { access_token: account.token, expires_in: 60 * 86_400 };
      case 'POST subscribed_apps':
        account.isSubscribed = true;
        return { success: true };
      case 'DELETE subscribed_apps':
        account.isSubscribed = false;
        return { success: true };
      case 'POST messenger_profile':
        Object.assign(account.profile, body);
        return { result: 'success' };
      case 'DELETE messenger_profile':
        for (const field of (body as unknown as { fields: string[] }).fields) delete account.profile[field];
        return { result: 'success' };
      case 'GET messenger_profile':
        return { data: Object.keys(account.profile).length === 0 ? [] : [account.profile] };
      case 'POST messages':
        return sendMessage(account, body);
      case 'GET conversations': {
        const personId = url.searchParams.get('user_id') ?? '';
        const data = threadOf(account.id, personId)
          .toReversed()
          .slice(0, 20)
          .map(({ id, text, isFromAccount, atMs }) => ({
            id,
            message: text,
            created_time: new Date(atMs).toISOString().replace(/\.\d+Z$/, '+0000'),
            from: { id: isFromAccount ? account.id : personId },
          }));
        return { data: [{ messages: { data } }] };
      }
      default:
        return null;
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://platform');
    const what = `${request.method} ${url.pathname}`;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    platform.calls.push(what);
    const at = faults.findIndex(({ path }) => path.test(what));
    const fault = at === -1 ? null : faults.splice(at, 1)[0]?.fault;
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const account = [...accounts.values()].find((one) => one.token === token);
    const proof = createHmac('sha256', appSecret).update(token).digest('hex');
    if (fault?.does === 'refuse')
      return refuse(response, fault.status ?? 400, fault.code ?? 100, fault.subcode);
    if (!account || url.searchParams.get('appsecret_proof') !== proof) return refuse(response, 401, 190);
    const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
    const answer = fault && !fault.after ? {} : work(account, request.method ?? '', url, body);
    if (fault?.does === 'cut') return void response.destroy();
    if (fault?.does === 'hang') return void hung.add(response);
    if (fault?.does === 'answer') return void response.writeHead(200).end(fault.body);
    if (answer === null) return refuse(response, 400, 100);
    reply(response, 200, answer);
  }

  const server = createServer(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  platform.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  platform.options.baseUrl = platform.baseUrl;
  return platform;
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
