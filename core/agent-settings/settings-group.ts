import { type ObjectOptions, type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { AnswerableCode } from '../errors/catalogue.js';
import type { JsonObject } from '../schemas/json.js';
import type { Entitlements } from '../workspaces/entitlements.js';

/** For code only: JSON does not show it. */
const merged = Symbol('merged');

/**
 * An object that a patch changes field by field. Any other (a rate limit, a list of domains) is replaced as a whole.
 */
export const mergedObject = <T extends TProperties>(fields: T, options: ObjectOptions = {}): TObject<T> =>
  Object.assign(Type.Object(fields, options), { [merged]: true });

export const isMerged = (schema: object): schema is TObject => merged in schema;

/** A group of settings, as its file declares it. */
interface Declaration<Body extends TObject> {
  /** Last part of the path. */
  path: string;
  /** Its key in the settings object. A group without one has its fields there, beside the other groups. */
  key?: string;
  /** Its name in summaries. */
  name: string;
  /** Its name in those of operations and schemas. */
  operation: string;
  /** What it is about, for readers of the documentation. */
  about: string;
  /** What is stored and read: without the limits of lengths, which are younger than some settings. */
  fields: TProperties;
  /** What PATCH takes. */
  body: Body;
  /** Codes that `refusal` may return. */
  refusals?: readonly AnswerableCode[];
  /** With what a body is refused that asks for more than the plan includes. */
  refusal?: (body: Static<Body>, entitlements: Entitlements) => AnswerableCode | null;
  /** The body without what the plan leaves out silently. */
  underPlan?: (body: Static<Body>, entitlements: Entitlements) => Static<Body>;
  /** The body as a patch of the settings object, when it is not the group's own fields under its key. */
  toSettings?: (body: Static<Body>) => JsonObject;
}

/** A group of settings, as routes, documentation and the agent use it. */
export interface SettingsGroup {
  path: string;
  key: string | undefined;
  name: string;
  operation: string;
  about: string;
  /** What GET answers. */
  stored: TObject;
  /** What it adds to the schema of the settings object. */
  properties: TProperties;
  body: TObject;
  refusals: readonly AnswerableCode[];
  /** With what a valid body is refused that asks for more than the plan includes. */
  refusal(body: JsonObject, entitlements: Entitlements): AnswerableCode | null;
  /** A valid body as a patch of the settings object, without what the plan leaves out silently. */
  toPatch(body: JsonObject, entitlements: Entitlements): JsonObject;
}

/** Ties the functions' types to the body beside them, and derives what follows from the declaration. */
export function settingsGroup<Body extends TObject>({
  path,
  key,
  name,
  operation,
  about,
  fields,
  body,
  refusals = [],
  refusal = () => null,
  underPlan = (sent) => sent,
  toSettings = (sent) => (key === undefined ? (sent as JsonObject) : { [key]: sent as JsonObject }),
}: Declaration<Body>): SettingsGroup {
  const stored = mergedObject(fields, { $id: `${operation}Settings` });
  return {
    path,
    key,
    name,
    operation,
    about,
    stored,
    properties: key === undefined ? fields : { [key]: Type.Optional(stored) },
    body: { ...body, $id: `Patch${operation}Settings` },
    refusals,
    refusal: (sent, entitlements) => refusal(sent as Static<Body>, entitlements),
    toPatch: (sent, entitlements) => toSettings(underPlan(sent as Static<Body>, entitlements)),
  };
}
