import { v7 as uuidv7 } from 'uuid';
import { copiedSettings } from '../../../agent-settings/copied-settings.js';
import { ApiError } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import { limits } from '../../../schemas/limits.js';
import { quotaNear } from '../../../webhooks/quota-near.js';
import type { Handler } from '../handler.js';
import { newJob } from '../jobs/job-opening.js';
import { reserveStorage } from '../knowledge/storage-allowance.js';
import { systemActor } from './versions.js';

/** Reserves the agent and its storage, and stores the job. The copy itself is made later, in steps (core/copies). */
export const copyAgent: Handler<'copyAgent'> = async (context, { name, isWithSources, requestId }) => {
  const { turn, rules, change } = context;
  const now = seconds(rules.clock.now());
  const workspace = await turn.workspace();
  const entitlements = rules.entitlementsOf(workspace);
  const limit = entitlements.limits.agents;
  const { agents: before } = workspace;
  if (before >= limit) throw new ApiError('QUOTA_CHATBOT_LIMIT');
  const { documents, bytes, pictureBytes, lastDocumentId } = await turn.copies.size();
  const bytesLeft = pictureBytes + (isWithSources ? bytes : 0);
  if (!(await reserveStorage(context, bytesLeft))) throw new ApiError('QUOTA_STORAGE_LIMIT');
  const { settings, leftOut } = copiedSettings(await turn.settings(), entitlements);
  const agentId = uuidv7();
  const job = await turn.copies.begin(
    {
      agentId,
      sourceId: turn.agent.id,
      name: name ?? nameOfCopy(turn.agent.name),
      url: turn.agent.url,
      settings,
      leftOut,
      actor: change?.actor ?? systemActor,
      lastDocumentId: isWithSources ? lastDocumentId : null,
      bytesLeft,
      createdAt: now,
    },
    {
      ...newJob(context, { type: 'copy_agent', requestId }),
      tasksCount: 1 + (isWithSources ? documents : 0),
    },
  );
  const event = quotaNear('agents', { before, used: before + 1, limit }, now);
  if (event) turn.announce(event);
  return { agentId, job };
};

const nameOfCopy = (name: string): string =>
  [...`Copy of ${name}`].slice(0, limits.agentName.max).join('').trim();
