import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { McpCall, McpToolResult } from '../../ports/mcp.port.js';
import type { AgentWithSettings } from '../../ports/store/agents/agent-reads.js';
import type { PermissionName } from '../../schemas/permissions.js';
import type { RouteRequest } from '../route.js';
import type { Services } from '../services.js';

/** The parts of the HTTP request that a tool may use. */
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
  /** What the key must be allowed to do, as in routes. */
  permission: PermissionName;
  /** Without the agent, which every tool takes. */
  input: TObject<P>;
  run(input: Static<TObject<P>>, context: ToolContext): Promise<McpToolResult>;
}

/** Infers the type of the input from its schema. */
export const tool = <P extends TProperties>(definition: Tool<P>): Tool => definition as unknown as Tool;

/** Returns a line that describes the source of a passage. */
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
