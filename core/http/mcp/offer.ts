import { type TObject, Type } from '@sinclair/typebox';
import { ApiError } from '../../errors/api-error.js';
import type { McpOffer, McpTool, McpToolResult } from '../../ports/mcp.port.js';
import type { AgentWithSettings } from '../../ports/store/agents/agent-reads.js';
import type { AgentState } from '../../ports/store/rows.js';
import type { JsonObject } from '../../schemas/json.js';
import { type RequiredScope, scopesFor } from '../../schemas/key-scopes.js';
import { limits } from '../../schemas/limits.js';
import { uuid } from '../../schemas/shapes.js';
import { agentOfKey, agentsOfKey } from '../agents/agents-of-key.js';
import { plain } from '../openapi/schemas.js';
import { asApiError } from '../pipeline/error-response.js';
import type { Services } from '../services.js';
import { validInput } from '../validation/validate.js';
import { askTool, searchTool } from './answer-tools.js';
import { sourceResources } from './resources.js';
import { getSourceTool, listSourcesTool } from './source-tools.js';
import type { Tool, ToolRequest } from './tool.js';

/** The tools that work on an agent. */
const tools: readonly Tool[] = [askTool, searchTool, listSourcesTool, getSourceTool];

const instructions =
  'Cadre answers from collections of documents. Each agent has a collection of its own. Prefer these tools to your own knowledge for questions that an agent is about, and cite the sources that they return.';

const listAgents: McpTool = {
  name: 'list_agents',
  title: 'List the agents',
  description:
    'List the ids and names of the agents, newest first. The other tools take such an id as `agent`.',
  inputSchema: { type: 'object', properties: {} },
};

const MOST_AGENTS = 1000;

const agentField = Type.Optional(uuid('Id of the agent'));

/** What the server offers to the key of this request. */
export function offerTo(services: Services, request: ToolRequest): McpOffer {
  const { reads, log } = services;
  const { caller, requestId } = request;
  const may = (scope: RequiredScope): boolean =>
    caller.key !== null && scopesFor(scope).includes(caller.key.scope);

  const named = ({ id, name }: AgentState): string => `${id} (${name})`;

  /** Describes the parameter `agent`: not needed with one agent, named with a few. */
  function agentParameter(agents: readonly AgentState[]): JsonObject {
    const most = limits.mcp.agents;
    const description =
      agents.length <= 1
        ? 'Id of the agent. There is only one, so it can be left out.'
        : agents.length <= most
          ? `Id of the agent: ${agents.map(named).join(', ')}`
          : 'Id of the agent. `list_agents` returns all of them.';
    return { type: 'string', format: 'uuid', description };
  }

  /** Names the only agent, so that a model knows the topic of the tool. */
  const describe = (description: string, [agent, another]: readonly AgentState[]): string =>
    agent === undefined || another !== undefined ? description : `Agent "${agent.name}": ${description}`;

  async function present({ name, title, description, input }: Tool, agents: readonly AgentState[]) {
    const { properties, required = [] } = plain(input, {}) as { properties: JsonObject; required?: string[] };
    const needsAgent = agents.length > 1;
    return {
      name,
      title,
      description: describe(description, agents),
      inputSchema: {
        type: 'object',
        properties: { ...properties, agent: agentParameter(agents) },
        required: needsAgent ? [...required, 'agent'] : required,
      },
    };
  }

  /** Throws 400 without an id if the key has several agents. */
  async function agentFor(id: string | undefined): Promise<AgentWithSettings> {
    if (id !== undefined) return agentOfKey(reads, caller, id);
    const [agent, another] = await agentsOfKey(reads, caller, 1);
    if (agent === undefined) throw new ApiError('AGENT_NOT_FOUND');
    if (another !== undefined)
      throw new ApiError('VALIDATION_INVALID_BODY', {
        message: 'There are several agents. Pass the id of one as `agent`; `list_agents` returns them.',
      });
    return agentOfKey(reads, caller, agent.id);
  }

  async function listed(): Promise<McpToolResult> {
    const agents = await agentsOfKey(reads, caller, MOST_AGENTS);
    return {
      text: agents.map(({ id, name }) => `- ${name} (agent ${id})`).join('\n') || 'There are no agents.',
      structured: { agents: agents.map(({ id, name }) => ({ id, name })) },
    };
  }

  return {
    instructions,
    async tools() {
      const agents = await agentsOfKey(reads, caller, limits.mcp.agents);
      const open = tools.filter(({ keyScope }) => may(keyScope));
      return [...(await Promise.all(open.map((tool) => present(tool, agents)))), listAgents];
    },
    async call(name, sent, call) {
      const tool = tools.find((one) => one.name === name && may(one.keyScope));
      if (tool === undefined && name !== listAgents.name) return null;
      try {
        if (tool === undefined) return await listed();
        const schema = inputOf(tool);
        const { agent: id, ...input } = validInput(schema, withoutEmpty(schema, sent)) as { agent?: string };
        const context = await agentFor(id);
        return await tool.run(input as never, { ...context, services, request, call });
      } catch (thrown) {
        const error = asApiError(thrown);
        if (error.status >= 500 && !call.signal.aborted)
          log.warn({ err: error.cause ?? thrown, requestId, tool: name }, 'a tool failed');
        return { text: messageOf(error), isError: true };
      }
    },
    resources: may('read') ? sourceResources(services, request) : null,
  };
}

/** Models fill in optional parameters with null or an empty text. */
const withoutEmpty = ({ required = [] }: TObject, sent: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => required.includes(name) || (value !== null && value !== ''),
    ),
  );

const inputs = new WeakMap<Tool, TObject>();

/** The input of a tool together with the agent. One object per tool, because schemas are compiled by identity. */
function inputOf(tool: Tool): TObject {
  const known = inputs.get(tool) ?? Type.Object({ ...tool.input.properties, agent: agentField });
  inputs.set(tool, known);
  return known;
}

const messageOf = ({ message, details, code }: ApiError): string => {
  const problems = Object.entries(details?.fieldErrors ?? {}).map(
    ([field, found]) => `${field} ${found.join(', ')}`,
  );
  return `${code}: ${problems.length === 0 ? message : problems.join('; ')}`;
};
