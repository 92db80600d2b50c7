import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

/*
 * Receives webhooks, verifies that they come from Cadre, and ignores repetitions. WEBHOOK_SECRET is the `secret` that
 * `POST /api/v2/webhooks` returned.
 *
 *   WEBHOOK_SECRET=whsec_… PORT=8080 node examples/webhook-receiver/server.mjs
 */

const { WEBHOOK_SECRET = '', PORT = '8080' } = process.env;
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
if (key.length === 0) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook.');
const MAX_AGE_S = 300;
const MAX_BYTES = 1_048_576;
/** Use a table of your database instead, so that a restart forgets nothing. */
const seen = new Set();

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  // Refuses replays of recorded messages.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < MAX_AGE_S)) return false;
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  // During a rotation of the secret there are two signatures.
  return signatures
    .split(' ')
    .some((given) => given.length === expected.length && timingSafeEqual(Buffer.from(given), expected));
}

async function readBody(request) {
  const pieces = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const server = createServer(async (request, response) => {
  const body = await readBody(request);
  if (body === null || !isGenuine(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  // Answer first and work afterwards: Cadre waits for 15 seconds.
  response.writeHead(204).end();
  const id = request.headers['webhook-id'];
  if (seen.has(id)) return;
  seen.add(id);
  const { type, data } = JSON.parse(body.toString());
  console.log(type, JSON.stringify(data));
});

server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${PORT}`));
