import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { mock } from 'node:test';
import type { Test } from 'tap';
import type { Pace } from '../../../adapters/filesystem/pace.js';
import { type UploadSink, uploadReceiver } from '../../../adapters/filesystem/upload-receiver.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { UploadGate } from '../../../core/ports/plugin.port.js';
import t from '../../support/t.js';
import { listen, until } from './upload-client.js';

/** A receiver over a simulated disk. */
async function overDisk(
  t: Test,
  sink: Partial<UploadSink>,
  { pace, gate }: { pace?: Pace; gate?: UploadGate } = {},
) {
  const ended: string[] = [];
  const arrived: IncomingMessage[] = [];
  const whole: UploadSink = {
    write: async () => undefined,
    flush: async () => undefined,
    commit: async () => void ended.push('commit'),
    discard: async () => void ended.push('discard'),
    ...sink,
  };
  const receiver = uploadReceiver({
    target: { isTaken: async () => false, stage: async () => whole },
    verify: () => 'a',
    maxBytes: 20_000_000,
    log: silentLog,
    ...(pace === undefined ? {} : { pace }),
    gate,
  });
  const origin = await listen(t, (incoming, response) => {
    arrived.push(incoming);
    receiver.receive(incoming, response);
  });
  return { url: `${origin}/uploads/${randomUUID()}`, ended, arrived };
}

t.test('a full or broken disk is reported without details of the machine', async (t) => {
  for (const [code, status] of [
    ['ENOSPC', 507],
    ['EDQUOT', 507],
    ['EIO', 500],
  ] as const) {
    for (const step of ['write', 'flush', 'commit'] as const) {
      const failure = Object.assign(new Error(`${code}: no luck, write '/secret/place'`), { code });
      const { url, ended } = await overDisk(t, { [step]: () => Promise.reject(failure) });
      const response = await fetch(url, { method: 'PUT', body: 'x' });
      t.equal(response.status, status);
      const body = await response.text();
      t.match(body, 'INTERNAL_SERVER_ERROR');
      t.notMatch(body, /secret|luck/);
      t.same(ended, ['discard']);
    }
  }
});

t.test('a slow disk throttles the client instead of filling the memory', async (t) => {
  let release = () => {};
  const disk = new Promise<void>((resolve) => {
    release = resolve;
  });
  let [writing, most, bytes] = [0, 0, 0];
  const { url, arrived } = await overDisk(t, {
    write: async (chunk) => {
      most = Math.max(most, ++writing);
      await disk;
      bytes += chunk.byteLength;
      writing--;
    },
  });
  const sending = request(url, { method: 'PUT', headers: { 'content-length': 16_000_000 } });
  sending.end(Buffer.alloc(16_000_000));
  const held = () => arrived[0]?.readableLength ?? 0;
  await until(async () => writing === 1 && held() >= (arrived[0]?.readableHighWaterMark ?? 0));
  t.ok(held() < 1_000_000, 'the client still holds the rest');
  release();
  const [response] = await once(sending, 'response');
  t.equal(response.statusCode, 201);
  t.equal(most, 1);
  t.equal(bytes, 16_000_000);
  response.resume();
});

t.test('the database is asked while the disk syncs, and the upload is in place after both', async (t) => {
  const order: string[] = [];
  let [flush, end] = [() => {}, () => {}];
  const flushed = new Promise<void>((resolve) => {
    flush = resolve;
  });
  const ended = new Promise<boolean>((resolve) => {
    end = () => resolve(true);
  });
  const { url } = await overDisk(
    t,
    {
      flush: () => {
        order.push('flush');
        return flushed;
      },
      commit: async () => void order.push('commit'),
    },
    {
      gate: {
        begin: async () => 'accepted',
        more: async () => 'accepted',
        end: () => {
          order.push('end');
          return ended;
        },
      },
    },
  );
  const answer = fetch(url, { method: 'PUT', body: 'x' });
  await until(() => order.length === 2);
  t.same([...order].sort(), ['end', 'flush']);
  flush();
  end();
  t.equal((await answer).status, 201);
  t.equal(order[2], 'commit');
});

const pace = { windowMs: 150, bytes: 1000 };

t.test('a client that is too slow loses its connection and its file', async (t) => {
  const { url, ended } = await overDisk(t, {}, { pace });
  const sending = request(url, { method: 'PUT', headers: { 'content-length': 5000 } });
  const drip = setInterval(() => sending.write('x'), 10);
  t.teardown(() => clearInterval(drip));
  const [error] = await once(sending, 'error');
  t.match(error, { code: /ECONNRESET|EPIPE/ });
  await until(() => ended.includes('discard'));
  t.same(ended, ['discard']);
});

/** Generous for a machine that is busy with other tests. */
const unhurried = { windowMs: 1000, bytes: 1000 };

t.test('a client at that rate, and one that waits for a slow disk, may continue', async (t) => {
  let windows = 0;
  const timer = setInterval(() => windows++, unhurried.windowMs);
  t.teardown(() => clearInterval(timer));
  const steady = await overDisk(t, {}, { pace: unhurried });
  const dripping = request(steady.url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } });
  const feed = setInterval(() => dripping.write(Buffer.alloc(500)), 20);
  let release = () => {};
  const disk = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = await overDisk(t, { write: () => disk }, { pace: unhurried });
  const waiting = request(slow.url, { method: 'PUT', headers: { 'content-length': 3_000_000 } });
  waiting.end(Buffer.alloc(3_000_000));
  const answers = [dripping, waiting].map((sending) => once(sending, 'response'));
  await until(() => windows >= 3);
  clearInterval(feed);
  dripping.end();
  release();
  for (const [response] of await Promise.all(answers)) {
    t.equal(response.statusCode, 201);
    response.resume();
  }
});

t.test('a window that began while the disk was busy does not count', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  let release = () => {};
  const disk = new Promise<void>((resolve) => {
    release = resolve;
  });
  let [writing, written] = [0, 0];
  const { url, arrived } = await overDisk(
    t,
    {
      write: async (chunk) => {
        writing++;
        await disk;
        written += chunk.byteLength;
      },
    },
    { pace },
  );
  const sending = request(url, { method: 'PUT', headers: { 'content-length': 3000 } });
  const answered = once(sending, 'response');
  sending.write(Buffer.alloc(1000));
  await until(() => writing === 1);
  sending.write(Buffer.alloc(1000));
  await until(() => arrived[0]?.readableLength === 1000);
  mock.timers.tick(pace.windowMs);
  release();
  await until(() => written === 2000);
  mock.timers.tick(pace.windowMs);
  sending.end(Buffer.alloc(1000));
  const [response] = await answered;
  t.equal(response.statusCode, 201);
  response.resume();
});
