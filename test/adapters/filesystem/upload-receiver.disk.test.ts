import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import t, { type Test } from 'tap';
import { type UploadSink, uploadReceiver } from '../../../adapters/filesystem/upload-receiver.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { listen, until } from './upload-client.js';

/** A receiver over a disk that behaves as told. */
async function overDisk(t: Test, sink: Partial<UploadSink>) {
  const ended: string[] = [];
  const arrived: IncomingMessage[] = [];
  const whole: UploadSink = {
    write: async () => undefined,
    commit: async () => void ended.push('commit'),
    discard: async () => void ended.push('discard'),
    ...sink,
  };
  const receiver = uploadReceiver({
    target: { isTaken: async () => false, stage: async () => whole },
    verify: () => 'a',
    maxBytes: 20_000_000,
    log: silentLog,
  });
  const origin = await listen(t, (incoming, response) => {
    arrived.push(incoming);
    receiver.receive(incoming, response);
  });
  return { url: `${origin}/uploads/${randomUUID()}`, ended, arrived };
}

t.test(
  'a full or broken disk is told as such, in a sentence that names nothing of the machine',
  async (t) => {
    for (const [code, status] of [
      ['ENOSPC', 507],
      ['EDQUOT', 507],
      ['EIO', 500],
    ] as const) {
      for (const step of ['write', 'commit'] as const) {
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
  },
);

t.test('a slow disk slows the client down instead of filling the memory', async (t) => {
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
