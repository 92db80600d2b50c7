import type { AgentTurn } from '../../ports/store/agents/agent-turn.js';
import type { AuditTarget, ChangeContext, ChangeOutcome } from '../../ports/store/audit.js';
import type { JsonObject, JsonValue } from '../../schemas/json.js';
import type { Message, MessageKind, MessageOf, ReplyOf } from './messages.js';

const agentTarget = ({ agent }: AgentTurn): AuditTarget => ({
  type: 'agent',
  id: agent.id,
  label: agent.name,
});
const jobTarget = (id: number | undefined): AuditTarget => ({
  type: 'job',
  id: id === undefined ? null : String(id),
  label: null,
});
const sourceTarget = (id: string, label: string | null): AuditTarget => ({ type: 'source', id, label });
const ofAgent = async (turn: AgentTurn): Promise<() => ChangeOutcome> => {
  const target = agentTarget(turn);
  return () => ({ target });
};
const ofSource = async (turn: AgentTurn, { documentId }: { documentId: string }) => {
  const document = await turn.documents.find(documentId);
  const target = sourceTarget(documentId, document?.title ?? null);
  return (): ChangeOutcome => ({ target });
};
const ofJob =
  async () =>
  (reply: { job: { id: number } | null }): ChangeOutcome => ({
    target: jobTarget(reply.job?.id),
  });

const ofVersion = async (_: AgentTurn, { number }: { number: number }) => {
  const target = { type: 'version', id: String(number), label: null };
  return (): ChangeOutcome => ({ target });
};

const ofSite = async (turn: AgentTurn, { siteId }: { siteId: string }) => {
  const site = await turn.sites.find(siteId);
  const target = { type: 'site', id: siteId, label: site?.url ?? null };
  return (): ChangeOutcome => ({ target });
};

/** Looks at the agent before the message, and returns a function that describes its change. */
type Look<K extends MessageKind> = (
  turn: AgentTurn,
  message: MessageOf<K>,
) => Promise<(reply: ReplyOf<K>) => ChangeOutcome>;

/** The messages that requests send to change an agent. Others are parts of such a change, or not audited. */
const looks: { [K in MessageKind]?: Look<K> } = {
  update: async (turn) => {
    const before = turn.agent;
    return () => ({ target: agentTarget(turn), before, after: turn.agent });
  },
  configure: async (turn, { patch }) => {
    const before = fieldsUnder(await turn.settings(), patch);
    // Cleared fields are missing from the settings.
    const cleared = Object.fromEntries(Object.keys(before).map((field) => [field, null]));
    return ({ settings }) => ({
      target: agentTarget(turn),
      before,
      after: { ...cleared, ...fieldsUnder(settings, patch) },
    });
  },
  // The audit log shows live values only.
  changeDraft: async (turn) => () => ({ target: agentTarget(turn), after: {} }),
  publishDraft: ofAgent,
  discardDraft: ofAgent,
  addPicture: async (_, { picture }) => {
    const target = { type: 'picture', id: picture.hash, label: null };
    return () => ({ target });
  },
  deletePicture: async (_, { hash }) => {
    const target = { type: 'picture', id: hash, label: null };
    return () => ({ target });
  },
  restoreVersion: ofVersion,
  deleteVersion: ofVersion,
  copyAgent:
    async (turn) =>
    ({ agentId }) => ({
      target: { type: 'agent', id: agentId, label: turn.agent.name },
    }),
  delete: ofAgent,
  rotateIdentitySecret: ofAgent,
  removeIdentitySecret: ofAgent,
  connectSocial: async (_, { account }) => {
    const target = { type: 'socialAccount', id: account.accountId, label: account.username };
    return () => ({ target });
  },
  disconnectSocial:
    async () =>
    ({ before }) => ({
      target: { type: 'socialAccount', id: before.lastAccountId, label: before.username },
    }),
  saveAutomation: async (turn, { automationId }) => {
    const before = automationId === null ? undefined : await turn.channel.automation(automationId);
    return ({ automation }) => ({
      target: { type: 'automation', id: automation.id, label: automation.name },
      ...(before ? { before } : {}),
      after: automation,
    });
  },
  deleteAutomation: async (_, { automationId }) => {
    const target = { type: 'automation', id: automationId, label: null };
    return () => ({ target });
  },
  beginSync: async (_, { resource }) => {
    const target = { type: 'socialProfile', id: resource, label: null };
    return () => ({ target });
  },
  addSource:
    async (_, { source }) =>
    ({ documentId }) => ({ target: sourceTarget(documentId, source.title) }),
  revise: ofSource,
  label: ofSource,
  schedulePage: ofSource,
  deleteDocument: ofSource,
  acceptPage: ofSource,
  indexUrl: ofJob,
  indexSitemap: ofJob,
  indexFiles: ofJob,
  indexSite:
    async () =>
    ({ site }) => ({ target: { type: 'site', id: site.id, label: site.url } }),
  changeSite: ofSite,
  refreshSite: ofSite,
  deleteSite: ofSite,
  retrain: ofJob,
  cancelJob: ofJob,
  retryJob: ofJob,
  retryFailure: ofJob,
  deleteFailure: async (_, { failureId }) => {
    const target = { type: 'failure', id: failureId, label: null };
    return () => ({ target });
  },
};

/** The settings that a patch concerns: those on the top level, and those of its groups. */
function fieldsUnder(settings: JsonObject, patch: JsonObject): JsonObject {
  const isGroup = (value: JsonValue | undefined): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const groups = Object.keys(patch).map((key) => settings[key]);
  return Object.assign({}, settings, ...groups.filter(isGroup));
}

/** Handles a message, and adds a row to the audit log if a request has changed something with it. */
export async function auditedMessage<Reply>(
  turn: AgentTurn,
  message: Message,
  change: ChangeContext | null,
  handle: () => Promise<Reply>,
): Promise<Reply> {
  const look = looks[message.kind] as Look<MessageKind> | undefined;
  if (!change || !look) return handle();
  const describe = await look(turn, message as never);
  const before = turn.changes;
  const reply = await handle();
  if (turn.changes !== before) turn.audit(change, describe(reply as never));
  return reply;
}
