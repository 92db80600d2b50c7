import type { JsonValue } from '../../../schemas/json.js';
import type { AuditActor } from '../audit.js';

/** A field of a draft by its name, such as `ai.model`: its value, and the live value when it entered the draft. */
export type DraftFields = Readonly<Record<string, { live: JsonValue; draft: JsonValue }>>;

/** Changes of settings that are not live. */
export interface DraftRow {
  fields: DraftFields;
  /** Unix seconds. */
  updatedAt: number;
  updatedBy: AuditActor;
}

export interface Drafts {
  find(agentId: string): Promise<DraftRow | null>;
}

/** The draft within a turn of the agent. */
export interface TurnDraft {
  find(): Promise<DraftRow | null>;
  keep(draft: DraftRow): Promise<void>;
  remove(): Promise<void>;
}
