import {
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** JSON-RPC code for errors of the server. */
const SERVER_ERROR = -32_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Forwards messages between standard input and output and the MCP server of the service, until the input is closed. */
export async function bridgeMcp(
  { baseUrl, secret }: { baseUrl: string; secret: string },
  note: (text: string) => void,
): Promise<void> {
  const local = new StdioServerTransport();
  const remote = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
  });
  /** Requests that have no response yet, by id. */
  const open = new Map<RequestId, AbortController>();
  let initialization: RequestId | undefined;

  const report = (error: unknown): void => note(`The MCP bridge: ${messageOf(error)}`);
  const reply = (message: JSONRPCMessage): void => void local.send(message).catch(report);

  async function forward(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && message.method === 'notifications/cancelled') {
      // Closing the request's connection cancels the request in every version of the protocol.
      const { requestId } = (message.params ?? {}) as { requestId?: RequestId };
      if (requestId !== undefined) open.get(requestId)?.abort();
      return;
    }
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    const cancelled = new AbortController();
    if (id !== undefined) open.set(id, cancelled);
    if ('method' in message && message.method === 'initialize') initialization = id;
    try {
      await remote.send(message, { requestSignal: cancelled.signal });
    } catch (error) {
      if (cancelled.signal.aborted) return;
      report(error);
      if (id === undefined) return;
      open.delete(id);
      reply({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message: messageOf(error) } });
    }
  }

  remote.onmessage = (message) => {
    if (!('method' in message) && message.id !== undefined) {
      open.delete(message.id);
      if (message.id === initialization && 'result' in message)
        remote.setProtocolVersion(String(message.result.protocolVersion));
    }
    reply(message);
  };
  local.onmessage = (message) => void forward(message);
  remote.onerror = report;
  local.onerror = report;
  await remote.start();
  const closed = new Promise<void>((resolve) => {
    local.onclose = resolve;
  });
  await local.start();
  await closed;
  await remote.close();
}
