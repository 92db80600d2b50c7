import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/*
 * The server of a web application with a chat of its own. It knows the API key, signs its users in (here, there is only
 * one), and gives their browsers tokens. The browsers then talk to Cadre directly.
 *
 *   CADRE_URL=http://127.0.0.1:3000 CADRE_API_KEY=… CADRE_AGENT_ID=… node --import=tsx docs/own-front-end/server.ts
 */

const { CADRE_URL = '', CADRE_API_KEY = '', CADRE_AGENT_ID = '', PORT = '8080' } = process.env;
const USER_ID = 'ada';
const agentUrl = `${CADRE_URL}/api/v2/agents/${CADRE_AGENT_ID}`;

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
  bundle: true,
  format: 'esm',
  minify: true,
  write: false,
});

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A chat of our own</title>
<body data-agent-url="${agentUrl}">
<h1>A chat of our own</h1>
<div id="messages" role="log"></div>
<form><input name="message" aria-label="Message" required><button>Send</button></form>
<script type="module" src="/page.js"></script>
`;

/** Asks Cadre for a token of this user. Only servers can, because it needs the API key. */
async function tokenFor(userId: string): Promise<string> {
  const answer = await fetch(`${agentUrl}/chat/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CADRE_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  });
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`);
  return answer.text();
}

const server = createServer(async (request, response) => {
  const send = (type: string, body: string | Uint8Array): void => {
    response.setHeader('content-type', type).end(body);
  };
  switch (`${request.method} ${request.url}`) {
    case 'GET /':
      return send('text/html; charset=utf-8', html);
    case 'GET /page.js':
      return send('text/javascript; charset=utf-8', outputFiles[0]?.contents ?? '');
    case 'POST /token':
      return tokenFor(USER_ID).then(
        (token) => send('application/json', token),
        (error: unknown) => {
          console.error(error);
          response.writeHead(502).end();
        },
      );
    default:
      response.writeHead(404).end();
  }
});
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`listening on ${JSON.stringify(server.address())}`),
);
