import { useEffect, useState } from 'preact/hooks';
import { asFailure, type Failure } from '../../api/failure.js';
import { agentPath, ask } from '../../api/request.js';
import type { Agent } from '../../api/types.js';
import { useAction, useList } from '../../loading.js';

export interface ModelUser {
  id: string;
  name: string;
  /** The model in the agent's settings; null if the agent uses the default. */
  chosen: string | null;
}

export interface UsedModels {
  /** Null until loaded. */
  agents: ModelUser[] | null;
  total: number;
  /** Number of agents whose settings have been read. */
  checked: number;
  busy: boolean;
  failure: Failure | null;
  check: () => void;
}

/** Above this number of agents, settings are read on demand: lists omit settings, so each agent costs a request. */
const MAX_UNASKED = 20;
/** Maximum concurrent requests. */
const AT_ONCE = 4;

/** Loads which agents use which models. */
export function useUsedModels(): UsedModels {
  const [isWanted, setWanted] = useState(false);
  const list = useList<Agent>('/agents', { limit: '100' }, isWanted);
  const { items, total, isLoadingAll } = list;
  const [agents, setAgents] = useState<ModelUser[] | null>(null);
  const [checked, setChecked] = useState(0);
  const { busy, failure, run } = useAction();
  const isDue = items !== null && !isLoadingAll && !list.failure && (isWanted || total <= MAX_UNASKED);
  const check = () =>
    run(async () => {
      setChecked(0);
      setAgents(await modelsOf(items ?? [], () => setChecked((known) => known + 1)));
    });
  useEffect(() => {
    if (isDue && agents === null) void check();
  }, [isDue]);
  return {
    agents,
    total,
    checked,
    busy: busy || isLoadingAll,
    failure: list.failure ?? failure,
    check: () => {
      if (list.failure) list.reload();
      else if (isDue) void check();
      setWanted(true);
    },
  };
}

async function modelsOf(agents: readonly Agent[], onRead: () => void): Promise<ModelUser[]> {
  const waiting = [...agents.entries()];
  const users: ModelUser[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, { id, name }] = next;
      const chosen = await modelOf(id).catch(ignoreGone);
      if (chosen !== undefined) users[at] = { id, name, chosen };
      onRead();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // Drops the gaps that deleted agents leave.
  return users.flat();
}

async function modelOf(agentId: string): Promise<string | null> {
  const { model } = await ask<{ model?: string | null }>(agentPath(agentId, 'settings', 'ai'));
  return model ?? null;
}

function ignoreGone(thrown: unknown): undefined {
  if (asFailure(thrown).code !== 'AGENT_NOT_FOUND') throw thrown;
}
