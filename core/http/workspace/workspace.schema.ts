import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { models } from '../../schemas/models.js';
import { oneOf, someOf, unixSeconds, uuid } from '../../schemas/shapes.js';
import { timeZone } from '../people/person.schema.js';

const allowance = (description: string) =>
  Type.Object({ used: Type.Integer({ minimum: 0 }), limit: Type.Integer({ minimum: 0 }) }, { description });

const day = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: `${description}, UTC` });

const counts = {
  answers: Type.Integer({ minimum: 0 }),
  credits: Type.Number({ minimum: 0, description: 'Used credits. They are counted, but not limited' }),
  inputTokens: Type.Integer({ minimum: 0, description: 'Count of the providers' }),
  outputTokens: Type.Integer({ minimum: 0 }),
};

export const workspaceQuery = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: limits.usageDays.min,
        maximum: limits.usageDays.max,
        default: limits.usageDays.default,
        description: 'Number of days of usage, including today',
      }),
    ),
  },
  { $id: 'WorkspaceQuery' },
);

export const changeWorkspaceBody = someOf(
  {
    name: Type.Optional(Type.String({ trim: true, minLength: 1, maxLength: 255, examples: ['Acme'] })),
    timeZone: Type.Optional(timeZone),
    requireTwoFactor: Type.Optional(
      Type.Boolean({
        description:
          'Members without two-factor authentication may only set it up. Only a member who has it can change this',
      }),
    ),
  },
  { $id: 'ChangeWorkspace' },
);

export const workspaceSchema = Type.Object(
  {
    id: uuid('Workspace id'),
    name: Type.String(),
    createdAt: unixSeconds('Creation'),
    timeZone: Type.String({ description: 'Of members who have not chosen one', examples: ['UTC'] }),
    requireTwoFactor: Type.Boolean({
      description: 'Members without two-factor authentication may only set it up. API keys are not affected',
    }),
    mail: Type.Object({
      configured: Type.Boolean({ description: 'Whether the installation has a mail server' }),
    }),
    plan: Type.String({ description: 'Name of the plan' }),
    features: Type.Object(
      {
        apiAccess: Type.Boolean(),
        autoRetrain: Type.Boolean(),
        videoTranscription: Type.Boolean(),
        removeBranding: Type.Boolean(),
      },
      { description: 'Features of the plan, including changes by the operator' },
    ),
    models: Type.Array(oneOf(models), { description: 'Models that AI settings may select' }),
    allowances: Type.Object({
      agents: allowance('Agents'),
      members: allowance('People, invited ones included'),
      storageBytes: allowance('Bytes of the text of sources, and of uploaded files'),
      visitorMessages: allowance(
        'Messages of visitors today (UTC). With the limit 0, the agents have no widget',
      ),
      visitorStorageBytes: allowance(
        'Bytes of evaluations, and of stored conversations of visitors and people on social platforms. At the limit, the chat is not available to visitors. Chats with an API key are not limited',
      ),
    }),
    conversationBytes: Type.Integer({
      minimum: 0,
      description:
        'Bytes of all stored conversations. They do not count towards `storageBytes`. An answer in progress counts when it has ended',
    }),
    versionBytes: Type.Integer({
      minimum: 0,
      description:
        'Bytes of all versions of the settings of agents. They do not count towards `storageBytes`',
    }),
    usage: Type.Object({
      startDay: day('First day of the period'),
      endDay: day('Today'),
      totals: Type.Object(counts),
      counters: Type.Array(
        Type.Object(
          {
            day: day('Day'),
            agentId: uuid('Agent id, also of a deleted agent'),
            model: Type.String(),
            ...counts,
          },
          { $id: 'UsageCounter' },
        ),
        { description: `By day, agent and model, newest day first; at most ${limits.usageCounters}` },
      ),
      truncated: Type.Optional(
        Type.Literal(true, { description: 'Older counters are omitted: request fewer days' }),
      ),
    }),
  },
  { $id: 'Workspace' },
);
