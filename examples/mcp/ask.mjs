import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/*
 * Lists the tools of the MCP server, and asks an agent.
 *
 *   npm install @modelcontextprotocol/client
 *   node examples/mcp/ask.mjs "When are you open?"
 */

const { CADRE_URL, CADRE_API_KEY, CADRE_AGENT_ID } = process.env;

const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const headers = { authorization: `Bearer ${CADRE_API_KEY}` };
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', CADRE_URL), { requestInit: { headers } }),
);
const { tools } = await client.listTools();
console.log(`Tools: ${tools.map(({ name }) => name).join(', ')}`);

const question = process.argv[2] ?? 'When are you open?';
const answer = await client.callTool({ name: 'ask', arguments: { question, agent: CADRE_AGENT_ID } });
for (const part of answer.content) if (part.type === 'text') console.log(part.text);
await client.close();
