import type { JsonObject } from '../schemas/json.js';

/*
 * The Model Context Protocol over HTTP: the adapter knows the wire format and its versions, core what tools and
 * resources do. Nothing is kept between two requests.
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
  /** Reports progress, if the client asked for it. `done` must increase. */
  progress(done: number, message: string): void;
}

export interface McpToolResult {
  /** For the model. */
  text: string;
  /** The same as data. */
  structured?: JsonObject;
  /** `text` says what went wrong. */
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

/** What a server offers to the client of one request. */
export interface McpOffer {
  instructions: string;
  tools(): Promise<McpTool[]>;
  /** Null if there is no such tool. Failures are results. */
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
