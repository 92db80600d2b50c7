import type { JsonObject } from '../schemas/json.js';

/*
 * The Model Context Protocol over HTTP. The adapter implements the wire format and its versions, core implements tools
 * and resources. Stateless: nothing is kept between two requests.
 */

export interface McpTool {
  name: string;
  title: string;
  /** Tells a model when to use the tool. */
  description: string;
  inputSchema: JsonObject;
}

/** A call in progress. */
export interface McpCall {
  /** Aborted when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Reports progress if the client requested it. `done` must increase. */
  progress(done: number, message: string): void;
}

export interface McpToolResult {
  /** Result for the model. */
  text: string;
  /** The result as data. */
  structured?: JsonObject;
  /** If true, `text` describes the error. */
  isError?: true;
}

export interface McpResource {
  uri: string;
  name: string;
  mimeType: string;
}

export interface McpResources {
  /** Throws ApiError for an unknown cursor. */
  list(cursor: string | undefined): Promise<{ resources: McpResource[]; nextCursor: string | null }>;
  /** Throws ApiError for an unknown URI. */
  read(uri: string): Promise<{ mimeType: string; text: string }>;
}

/** The tools and resources available to the client of a request. */
export interface McpOffer {
  instructions: string;
  tools(): Promise<McpTool[]>;
  /** Returns the tool's result, also for a failure; null if there is no such tool. */
  call(name: string, input: JsonObject, call: McpCall): Promise<McpToolResult | null>;
  /** Null if the client may not read resources. */
  resources: McpResources | null;
}

interface McpExchange {
  headers: Record<string, string>;
  body: JsonObject;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

interface McpResponse {
  status: number;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array> | null;
}

export interface Mcp {
  /** Answers one message of a client. */
  answer(exchange: McpExchange, offer: McpOffer): Promise<McpResponse>;
}
