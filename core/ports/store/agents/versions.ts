import type { JsonObject, JsonValue } from '../../../schemas/json.js';
import type { AuditActor } from '../audit.js';
import type { PageRequest } from '../pages.js';

export const versionOrigins = ['create', 'patch', 'publish', 'restore', 'import', 'baseline'] as const;
export type VersionOrigin = (typeof versionOrigins)[number];

/** A changed field of the settings, such as `ai.instructionsPrompt`. A field that is not set is null. */
export interface FieldChange {
  field: string;
  before: JsonValue;
  after: JsonValue;
}

/** The settings of an agent after a change. Numbers start at 1, and grow by 1. */
export interface VersionRow {
  number: number;
  /** Unix seconds. */
  createdAt: number;
  actor: AuditActor;
  origin: VersionOrigin;
  /** The version that was restored. */
  restored: number | null;
  changes: readonly FieldChange[];
  /** All settings that are part of versions. */
  settings: JsonObject;
}

/** Versions within a turn of the agent. */
export interface TurnVersions {
  /** Returns the newest number; null for an agent without versions. */
  newest(): Promise<number | null>;
  find(number: number): Promise<VersionRow | null>;
  /** Returns the oldest version after this one. */
  next(number: number): Promise<VersionRow | null>;
  /** Adds a version, and deletes the oldest ones above the limits. */
  add(version: VersionRow): Promise<void>;
  replaceChanges(number: number, changes: readonly FieldChange[]): Promise<void>;
  remove(number: number): Promise<void>;
}

export interface Versions {
  /** Newest first, with one more than the limit if there are more. */
  page(agentId: string, request: PageRequest): Promise<VersionRow[]>;
  count(agentId: string): Promise<number>;
  find(agentId: string, number: number): Promise<VersionRow | null>;
  /** Returns the size of all versions of a workspace, or of these agents, in bytes. */
  storedBytes(workspaceId: string, agentIds: readonly string[] | null): Promise<number>;
}
