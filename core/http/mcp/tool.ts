import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { McpCall, McpToolResult } from '../../ports/mcp.port.js';
import type { AgentWithSettings } from '../../ports/store/agents/agent-reads.js';
import type { RequiredScope } from '../../schemas/key-scopes.js';
import type { RouteRequest } from '../route.js';
import type { Services } from '../services.js';

/** What a tool may use of the HTTP request. */
export interface ToolRequest
  extends Pick<
    RouteRequest<object, undefined>,
    'caller' | 'network' | 'requestId' | 'reserve' | 'beginWait' | 'holdPermitUntil'
  > {}

export interface ToolContext extends AgentWithSettings {
  services: Services;
  request: ToolRequest;
  call: McpCall;
}

/** A tool that works on one agent. */
export interface Tool<P extends TProperties = TProperties> {
  name: string;
  title: string;
  description: string;
  /** As of routes. */
  keyScope: RequiredScope;
  /** Without the agent, which every tool takes. */
  input: TObject<P>;
  run(input: Static<TObject<P>>, context: ToolContext): Promise<McpToolResult>;
}

/** Infers the type of the input from its schema. */
export const tool = <P extends TProperties>(definition: Tool<P>): Tool => definition as unknown as Tool;

/** A line that leads from a passage to its source. */
export const sourceLine = ({
  title,
  url,
  documentId,
}: {
  title: string;
  url: string | null;
  documentId: string;
}): string => [title.replaceAll(/\s+/g, ' '), url, `(documentId ${documentId})`].filter(Boolean).join(' ');

export const optional = Type.Optional;
