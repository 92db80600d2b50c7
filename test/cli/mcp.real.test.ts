import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Test } from 'tap';
import { commandLine } from '../support/command-line.js';
import { nodeArguments } from '../support/entry.js';
import * as provider from '../support/fake-provider.js';
import { type Era, eras, textOfResult } from '../support/mcp-client.js';
import { modelledAgent } from '../support/modelled-agent.js';
import { projectFolder } from '../support/project-folder.js';
import t from '../support/t.js';
import { until } from '../support/until.js';

/* `cadre mcp` as a desktop client starts it: a process that speaks the protocol on its standard input and output. */

const agent = await modelledAgent(t);
const apiKey = await agent.key({ scope: 'chat', agentIds: [agent.chat.agentId] });

async function connect(t: Test, era: Era, key = apiKey): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...nodeArguments('cli/main'), 'mcp', '--url', agent.service.baseUrl],
    env: { PATH: process.env.PATH ?? '', CADRE_API_KEY: key },
    cwd: projectFolder,
    stderr: 'ignore',
  });
  const mode = era === 'legacy' ? era : 'auto';
  const client = new Client({ name: 'desktop', version: '1' }, { versionNegotiation: { mode } });
  t.teardown(() => client.close());
  await client.connect(transport);
  return client;
}

for (const era of eras)
  t.test(`a desktop client asks, sees progress and cancels (${era})`, async (t) => {
    const client = await connect(t, era);
    const { tools } = await client.listTools();
    t.strictSame(
      tools.map(({ name }) => name),
      ['ask', 'search', 'list_agents'],
    );
    const call = { name: 'ask', arguments: { question: 'How do I reset the device?' } };
    agent.provider.play(provider.says('Hold the power button [1].'));
    t.match(textOfResult(await client.callTool(call)), /^Hold the power button \[1\]\./);

    agent.provider.play(provider.fallsSilent(provider.delta('Before the end, ')));
    const cancelled = new AbortController();
    let progress = '';
    const asking = client.callTool(call, {
      signal: cancelled.signal,
      onprogress: ({ message = '' }) => {
        progress += message;
      },
    });
    // Rejected below.
    asking.catch(() => {});
    await until('progress', () => progress.startsWith('Before the end'));
    cancelled.abort('enough');
    await t.rejects(asking);
    await until('the call of the model ends', async () => (await agent.provider.connections()) === 0);
    agent.provider.play(provider.says('Again.'));
    t.match(textOfResult(await client.callTool(call)), 'Again.', 'the bridge goes on');
  });

t.test('a wrong key is an error of the protocol', async (t) => {
  await t.rejects(connect(t, 'legacy', 'wrong'), /AUTH_INVALID_API_KEY/);
});

t.test('without a key there is nothing to serve', async (t) => {
  t.match(await commandLine({}).refused('mcp'), { code: 'USAGE', message: /CADRE_API_KEY/ });
});
