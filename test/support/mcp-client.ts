import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Test } from 'tap';

/** Versions of the protocol: with `initialize`, and with a version in every request. */
export const eras = ['legacy', 'modern'] as const;
export type Era = (typeof eras)[number];

/** Connects the official client to the service. */
export async function mcpClient(
  t: Test,
  baseUrl: string,
  apiKey: string,
  era: Era = 'modern',
): Promise<Client> {
  const mode = era === 'legacy' ? era : 'auto';
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${apiKey}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }),
  );
  t.teardown(() => client.close());
  return client;
}

type Result = Awaited<ReturnType<Client['callTool']>>;

/** The text of a result. */
export const textOfResult = ({ content }: Result): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');
