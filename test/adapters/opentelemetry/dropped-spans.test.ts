import { startTracing } from '../../../adapters/opentelemetry/index.js';
import { type Log, silentLog } from '../../../core/ports/log.port.js';
import { loopbackServer } from '../../support/loopback-server.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

const SPANS = 6000;

t.test('every span arrives or is counted as dropped while the receiver is slow', async (t) => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let requests = 0;
  let received = 0;
  const url = await loopbackServer(t, async (request, response) => {
    requests += 1;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    await released;
    const { resourceSpans } = JSON.parse(Buffer.concat(parts).toString()) as {
      resourceSpans: { scopeSpans: { spans: unknown[] }[] }[];
    };
    for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) received += spans.length;
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  const told: { text: string; dropped?: number }[] = [];
  const log: Log = {
    ...silentLog,
    warn: (about: object, text: string) => void told.push({ text, ...about }),
  };
  const tracing = startTracing({ url, sampler: 'always_on', ratio: 1, processName: 'p', version: '1', log });
  for (let n = 0; n < SPANS; n += 1) tracing.begin('work', 'internal', null).end();
  await until('the receiver is asked', () => Promise.resolve(requests > 0));
  release();
  const dropped = () => told.reduce((sum, { dropped = 0 }) => sum + dropped, 0);
  await until('each is accounted for', () => Promise.resolve(received + dropped() === SPANS));
  t.ok(dropped() > 0);
  await tracing.stop(1000);
  t.equal(received + dropped(), SPANS);
  t.equal(
    told.filter(({ text }) => text.startsWith('spans cannot be sent fast enough')).length,
    1,
    'told once, not for each',
  );
});
