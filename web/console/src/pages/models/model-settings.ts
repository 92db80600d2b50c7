export const modelKinds = {
  model: 'A model that writes answers',
  embedding: 'An embedding model for search',
} as const;
export type ModelKind = keyof typeof modelKinds;

export interface ModelServer {
  baseUrl: string;
  /** Name of the model at the server. */
  model: string;
  /** Path of the file with the API key; empty if the server needs none. */
  apiKeyFile: string;
}

/** Returns the settings that connect a model at a server with the API of chat completions. */
export function modelSettings(kind: ModelKind, { baseUrl, model, apiKeyFile }: ModelServer) {
  const server = { baseUrl, ...(apiKeyFile === '' ? {} : { apiKeyFile }) };
  const options =
    kind === 'embedding'
      ? { ...server, model }
      : { providers: { main: server }, models: { '*': { provider: 'main', model, contextTokens: 32_768 } } };
  return { plugins: { [kind]: { use: 'openai-compatible', options } } };
}
