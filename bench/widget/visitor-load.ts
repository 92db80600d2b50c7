import { Agent, request } from 'node:http';

/*
 * A child process that sends the requests of visitors: first asks for their tokens, then lets them chat until it is
 * stopped. Each visitor has an address of its own, in `x-forwarded-for`.
 */

const [baseUrl = '', agentId = '', visitors = '', connections = ''] = process.argv.slice(2);
const count = Number(visitors);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });

const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

const post = (
  path: string,
  n: number,
  body: object,
  token?: string,
): Promise<{ status: number | string; text: string }> =>
  new Promise((resolve) => {
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'x-forwarded-for': addressOf(n),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const sent = request(`${baseUrl}${path}`, { method: 'POST', headers, agent }, (answer) => {
      let received = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        received += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: received }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? '', text: '' }));
    sent.end(text);
  });

/** Runs `work` for 0, 1, 2 … on all connections until it returns false. */
async function onAllConnections(work: (n: number) => Promise<boolean>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Number(connections) }, async () => {
      while (await work(next++));
    }),
  );
}

const tokens: string[] = [];
await onAllConnections(async (n) => {
  if (n >= count) return false;
  const { status, text } = await post(`/widget/${agentId}/visitor`, n, { origin: 'https://www.acme.com' });
  if (status !== 200) throw new Error(`no token: ${status} ${text}`);
  tokens[n] = JSON.parse(text).token;
  return true;
});
process.send?.({ tokens: tokens.length });

let isStopped = false;
const statuses: Record<string, number> = {};
/** One response of each status that is not 200. */
const failures: Record<string, string> = {};
process.once('message', () => {
  isStopped = true;
});
await onAllConnections(async (n) => {
  if (isStopped) return false;
  const visitor = n % count;
  const body = { message: 'When does the library open?', stream: false };
  const { status, text } = await post(`/api/v2/agents/${agentId}/chat`, visitor, body, tokens[visitor]);
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status !== 200) failures[status] ??= text;
  return true;
});
process.send?.({ statuses, failures }, () => process.exit(0));
