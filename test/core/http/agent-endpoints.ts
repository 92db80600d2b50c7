import { exampleOf } from '../../../core/http/openapi/examples.js';
import { routes } from '../../../core/http/routes.js';

const AGENT = '/agents/:agentId';

const params: Record<string, string> = {
  documentId: '01890000-0000-7000-8000-000000000000',
  jobId: '1',
  conversationId: 'x',
  messageId: '1',
};

/** Every endpoint of an agent: the method, the path below /api/v2/agents/{agentId}, and a valid body. */
export const agentEndpoints = routes
  .filter(({ path }) => path.startsWith(AGENT))
  .map(({ method, path, body }) => ({
    method,
    path: path.slice(AGENT.length).replace(/:(\w+)/g, (_, name) => params[name] ?? 'x'),
    body: body && (exampleOf(body) as object),
  }));
