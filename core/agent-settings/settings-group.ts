import { type ObjectOptions, type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { ResponseErrorCode } from '../errors/catalogue.js';
import type { JsonObject } from '../schemas/json.js';
import type { Entitlements } from '../workspaces/entitlements.js';

/** A symbol, so that it does not appear in the JSON of the schema. */
const merged = Symbol('merged');

/** An object that a patch changes field by field. A patch replaces any other value as a whole. */
export const mergedObject = <T extends TProperties>(fields: T, options: ObjectOptions = {}): TObject<T> =>
  Object.assign(Type.Object(fields, options), { [merged]: true });

export const isMerged = (schema: object): schema is TObject => merged in schema;

interface Declaration<Body extends TObject> {
  /** Last segment of the path. */
  path: string;
  /** Not part of the published interface. */
  extension?: true;
  /** Key in the settings object. Without a key, the fields are at the top level. */
  key?: string;
  /** Name in summaries. */
  name: string;
  /** Part of the names of operations and schemas. */
  operation: string;
  /** Description for the documentation. */
  about: string;
  /** Stored fields, without maximum lengths, because some stored values are older than these. */
  fields: TProperties;
  /** Body of PATCH. */
  body: Body;
  /** Codes that `refusal` may return. */
  refusals?: readonly ResponseErrorCode[];
  /** Returns the error of a body that exceeds the plan. */
  refusal?: (body: Static<Body>, entitlements: Entitlements) => ResponseErrorCode | null;
  /** Removes fields that the plan ignores. */
  underPlan?: (body: Static<Body>, entitlements: Entitlements) => Static<Body>;
  /** Conversion of the body to a patch of the settings object, and back. Defaults to the fields under `key`. */
  conversion?: {
    toSettings: (body: Static<Body>) => JsonObject;
    toFields: (settings: JsonObject) => JsonObject;
  };
}

export interface SettingsGroup {
  path: string;
  extension: boolean;
  key: string | undefined;
  name: string;
  operation: string;
  about: string;
  /** Response of GET. */
  stored: TObject;
  /** Properties in the schema of the settings object. */
  properties: TProperties;
  body: TObject;
  refusals: readonly ResponseErrorCode[];
  /** Returns the error of a valid body that exceeds the plan. */
  refusal(body: JsonObject, entitlements: Entitlements): ResponseErrorCode | null;
  /** Converts a valid body to a patch of the settings object, without fields that the plan ignores. */
  toPatch(body: JsonObject, entitlements: Entitlements): JsonObject;
  /** Returns the body that sets these stored settings; {} if none of the group is set. */
  toBody(settings: JsonObject): JsonObject;
}

/** Infers the types of the functions from the body, and derives the group from its declaration. */
export function settingsGroup<Body extends TObject>({
  path,
  extension,
  key,
  name,
  operation,
  about,
  fields,
  body,
  refusals = [],
  refusal = () => null,
  underPlan = (sent) => sent,
  conversion = {
    toSettings: (sent) => (key === undefined ? (sent as JsonObject) : { [key]: sent as JsonObject }),
    toFields: (settings) => (key === undefined ? settings : ((settings[key] ?? {}) as JsonObject)),
  },
}: Declaration<Body>): SettingsGroup {
  const stored = mergedObject(fields, { $id: `${operation}Settings` });
  return {
    path,
    extension: extension === true,
    key,
    name,
    operation,
    about,
    stored,
    properties: key === undefined ? fields : { [key]: Type.Optional(stored) },
    body: { ...body, $id: `Patch${operation}Settings` },
    refusals,
    refusal: (sent, entitlements) => refusal(sent as Static<Body>, entitlements),
    toPatch: (sent, entitlements) => conversion.toSettings(underPlan(sent as Static<Body>, entitlements)),
    toBody: (settings) =>
      Object.fromEntries(
        Object.entries(conversion.toFields(settings)).filter(([field]) => field in body.properties),
      ),
  };
}
