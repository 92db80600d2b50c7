import type { AgentTurn } from '../../../core/ports/store/agent-turn.js';
import type { AgentState } from '../../../core/ports/store/rows.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import { agents, changedColumns } from '../tables/agents.js';
import type { Values } from './write-rows.js';

/** A turn on the agent's row alone wanted more than that row. */
export class NeedsTransaction extends Error {
  override name = 'NeedsTransaction';

  constructor() {
    super('this turn needs a transaction');
  }
}

/** What a turn makes of an agent's row: the agent as it is then, and the columns to be written. */
export interface RowChange {
  state: AgentState;
  values: Values;
}

/**
 * What must be written to turn the row of one state into that of another, with new settings where given.
 * The version goes up.
 */
export function changeOfRow(
  before: AgentState,
  now: AgentState,
  settings: JsonObject | undefined,
): RowChange {
  const state = { ...now, version: before.version + 1 };
  const values = changedColumns(before, state);
  if (settings) Object.assign(values, agents.byColumn(agents.encode({ settings })));
  return { state, values };
}

/** Updates the row if it still has this version. */
export const updateOfAgent = (
  { id, version }: Pick<AgentState, 'id' | 'version'>,
  values: Values,
): [string, unknown[]] => [
  `UPDATE agents SET ${Object.keys(values)
    .map((column) => `${column} = ?`)
    .join(', ')} WHERE id = ? AND version = ?`,
  [...Object.values(values), id, version],
];

const refuse = (): never => {
  throw new NeedsTransaction();
};

/**
 * The turn of an agent whose row is not locked, and was read as given: it changes that row in memory, and
 * throws NeedsTransaction for all else. `end` gives what is to be written; null for nothing.
 */
export function rowTurn(before: AgentState, read: JsonObject): { turn: AgentTurn; end(): RowChange | null } {
  let own: { state: AgentState; settings: JsonObject } = { state: before, settings: read };
  const turn: AgentTurn = {
    deleted: false,
    get agent() {
      return own.state;
    },
    async attempt(work) {
      const earlier = own;
      try {
        return await work();
      } catch (error) {
        own = earlier;
        throw error;
      }
    },
    change(patch) {
      own = { ...own, state: { ...own.state, ...patch } };
    },
    settings: async () => own.settings,
    changeSettings(settings) {
      own = { state: { ...own.state }, settings };
    },
    workspace: async () => refuse(),
    workspaceNow: async () => refuse(),
    addStorage: async () => refuse(),
    deleteAgent: async () => refuse(),
    announce: refuse,
    get documents() {
      return refuse();
    },
    get vectors() {
      return refuse();
    },
    get jobs() {
      return refuse();
    },
    get uploads() {
      return refuse();
    },
    get answers() {
      return refuse();
    },
  };
  return {
    turn,
    end: () =>
      own.state === before
        ? null
        : changeOfRow(before, own.state, own.settings === read ? undefined : own.settings),
  };
}
