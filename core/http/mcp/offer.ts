import { type TObject, Type } from '@sinclair/typebox';
import { ApiError } from '../../errors/api-error.js';
import type { McpOffer, McpTool, McpToolResult } from '../../ports/mcp.port.js';
import type { AgentWithSettings } from '../../ports/store/agents/agent-reads.js';
import type { AgentState } from '../../ports/store/rows.js';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { type PermissionName, scopesWith } from '../../schemas/permissions.js';
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
  'Cadre answers questions from collections of documents. Each agent has its own collection. If a question concerns the topic of an agent, prefer these tools to your own knowledge, and cite the sources that they return.';

const listAgents: McpTool = {
  name: 'list_agents',
  title: 'List the agents',
  description:
    'List the ids and names of the agents, newest first. Pass an id as `agent` to the other tools.',
  inputSchema: { type: 'object', properties: {} },
};

const MOST_AGENTS = 1000;

const agentField = Type.Optional(uuid('Id of the agent'));

/** Returns the tools and resources for the key of this request. */
export function offerTo(services: Services, request: ToolRequest): McpOffer {
  const { reads, log } = services;
  const { caller, requestId } = request;
  const may = (permission: PermissionName): boolean =>
    caller.key !== null && scopesWith(permission).includes(caller.key.scope);

  const named = ({ id, name }: AgentState): string => `${id} (${name})`;

  /** Describes the parameter `agent`: optional if there is one agent, with the names if there are a few. */
  function agentParameter(agents: readonly AgentState[]): JsonObject {
    const most = limits.mcp.agents;
    const description =
      agents.length <= 1
        ? 'Id of the agent. Optional, because there is only one.'
        : agents.length <= most
          ? `Id of the agent: ${agents.map(named).join(', ')}`
          : 'Id of the agent. `list_agents` returns all of them.';
    return { type: 'string', format: 'uuid', description };
  }

  /** Adds the name of the agent if there is only one, so that a model knows the topic of the tool. */
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

  /** Finds the agent. Throws 400 if the id is missing and the key has several agents. */
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
      const open = tools.filter(({ permission }) => may(permission));
      return [...(await Promise.all(open.map((tool) => present(tool, agents)))), listAgents];
    },
    async call(name, sent, call) {
      const tool = tools.find((one) => one.name === name && may(one.permission));
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
    resources: may('view') ? sourceResources(services, request) : null,
  };
}

/** Removes optional parameters that are null or empty, because models fill them in like this. */
const withoutEmpty = ({ required = [] }: TObject, sent: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => required.includes(name) || (value !== null && value !== ''),
    ),
  );

const inputs = new WeakMap<Tool, TObject>();

/** Returns the input of a tool with the field `agent`; the same object each time, because schemas are cached by identity. */
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
