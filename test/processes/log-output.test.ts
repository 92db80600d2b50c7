import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { logOutput, withoutSecrets } from '../../processes/log-output.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

/** A stream with a reader, like standard output. */
async function piped(t: Test): Promise<{ stream: Parameters<typeof logOutput>[0]; reader: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const writer = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [reader] = (await once(server, 'connection')) as [Socket];
  t.teardown(() => {
    writer.destroy();
    reader.destroy();
    server.close();
  });
  return { stream: Object.assign(writer, { fd: -1 }) as never, reader };
}

const line = (n: number) => `${JSON.stringify({ n, filling: 'x'.repeat(1000) })}\n`;

t.test(
  'a stalled reader loses lines and costs no memory, and the number of lost lines is reported',
  async (t) => {
    const { stream, reader } = await piped(t);
    const output = logOutput(stream, 100_000);
    const wanted = 20_000;
    for (let n = 0; n < wanted; n += 1) {
      output.write(line(n));
      if (n % 1000 === 0) await new Promise(setImmediate);
    }
    t.ok(stream.writableLength < 102_000, `${stream.writableLength} bytes wait`);
    await output.flush(20);
    const read = text(reader);
    await output.flush(10_000);
    output.write(line(wanted));
    stream.end();
    const lines = (await read)
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each));
    const dropped = lines.find((each) => each.dropped !== undefined)?.dropped;
    t.ok(dropped > 0);
    t.equal(lines.length + dropped, wanted + 2, 'every line is there or counted');
  },
);

t.test('without a reader, lines are dropped and nothing waits', async (t) => {
  const { stream, reader } = await piped(t);
  const output = logOutput(stream);
  reader.destroy();
  await until('the broken pipe', () => {
    output.write(line(0));
    return stream.destroyed;
  });
  output.write(line(1));
  await output.flush(60_000);
  t.equal(stream.writableLength, 0);
});

t.test('a file gets every line immediately', (t) => {
  const file = join(tempFolder(t), 'log');
  const output = logOutput({ fd: openSync(file, 'w') } as never);
  output.write(line(1));
  output.write(line(2));
  t.equal(readFileSync(file, 'utf8'), line(1) + line(2));
  t.end();
});

const redactions: [what: string, value: string, expected: string][] = [
  ['a query', 'https://a.example/p?token=s3cret&x=1', 'https://a.example/p?[redacted]'],
  ['a fragment', 'https://a.example/#access_token=s3cret', 'https://a.example/#[redacted]'],
  [
    'a password',
    'connect amqp://me:s3cret@mq:5672/vhost failed',
    'connect amqp://[redacted]@mq:5672/vhost failed',
  ],
  ['a password with an at sign', 'mysql://me:s3@cret@db/x', 'mysql://[redacted]@db/x'],
  ['a query with backslashes', 'https://a.example/?s3\\cret\\', 'https://a.example/?[redacted]'],
  [
    'a quoted URL',
    'fetch "https://a.example/?s3cret" failed',
    'fetch "https://a.example/?[redacted]" failed',
  ],
  ['a stack', 'Error: https://a.example/?s3cret\n    at x', 'Error: https://a.example/?[redacted]\n    at x'],
  ['two URLs', 'http://a/?s3cret to http://b/?s3cret', 'http://a/?[redacted] to http://b/?[redacted]'],
  ['a profile page', 'https://a.example/@me', 'https://a.example/@me'],
  ['a question', 'Is it https://a.example? Yes.', 'Is it https://a.example? Yes.'],
];
for (const [what, value, expected] of redactions)
  t.test(`a line stays JSON and holds no secret of ${what}`, (t) => {
    t.same(JSON.parse(withoutSecrets(JSON.stringify({ value, more: 1 }))), { value: expected, more: 1 });
    t.end();
  });
