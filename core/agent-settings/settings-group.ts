import { type ObjectOptions, type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { ResponseErrorCode } from '../errors/catalogue.js';
import type { AgentState } from '../ports/store/rows.js';
import type { JsonObject } from '../schemas/json.js';
import type { Entitlements } from '../workspaces/entitlements.js';

/** Marks merged objects. A symbol, so that it does not appear in the schema's JSON. */
const merged = Symbol('merged');

/** Creates the schema of an object that a patch merges field by field. A patch replaces other values as a whole. */
export const mergedObject = <T extends TProperties>(fields: T, options: ObjectOptions = {}): TObject<T> =>
  Object.assign(Type.Object(fields, options), { [merged]: true });

export const isMerged = (schema: object): schema is TObject => merged in schema;

/** Fields of a response that no request sets. */
interface Computed {
  fields: TProperties;
  of: (from: ComputedFrom) => JsonObject;
}

export interface ComputedFrom {
  settings: JsonObject;
  agent: AgentState;
  entitlements: Entitlements;
  /** Interval of retraining without a schedule. */
  retrainSeconds: number;
}

interface Declaration<Body extends TObject> {
  /** Last segment of the path. */
  path: string;
  /** Whether the group extends the published interface. */
  extension?: true;
  /** Whether the settings of an agent, as clients see them, leave the group out. */
  apart?: true;
  /** Key in the settings object. Without a key, the fields are on the top level. */
  key?: string;
  /** Name in the summaries of operations. */
  name: string;
  /** Part of the names of operations and schemas. */
  operation: string;
  /** Description for the documentation. */
  about: string;
  /** What a change does to fields that the request omits. By default, they stay as they are. */
  change?: string;
  /** Stored fields, without maximum lengths, because some stored values are older than the limits. */
  fields: TProperties;
  /** Body of PATCH. */
  body: Body;
  /** Codes that `refusal` may return. */
  refusals?: readonly ResponseErrorCode[];
  /** Returns the error for a body that the plan does not allow; otherwise null. */
  refusal?: (body: Static<Body>, entitlements: Entitlements) => ResponseErrorCode | null;
  /** Removes or resets fields that the plan does not include. */
  underPlan?: (body: Static<Body>, entitlements: Entitlements) => Static<Body>;
  computed?: Computed;
  /**
   * Converts the body to a patch of the settings object, and back. By default, the fields are stored unchanged under
   * `key`.
   */
  conversion?: {
    toSettings: (body: Static<Body>) => JsonObject;
    toFields: (settings: JsonObject) => JsonObject;
  };
}

export interface SettingsGroup {
  path: string;
  extension: boolean;
  apart: boolean;
  key: string | undefined;
  name: string;
  operation: string;
  about: string;
  change: string;
  /** Response of GET. */
  shown: TObject;
  stored: TObject;
  /** Properties in the schema of the settings object. */
  properties: TProperties;
  body: TObject;
  computed: Computed | null;
  refusals: readonly ResponseErrorCode[];
  /** Returns the error for a valid body that the plan does not allow; otherwise null. */
  refusal(body: JsonObject, entitlements: Entitlements): ResponseErrorCode | null;
  /** Converts a valid body to a patch of the settings object. Leaves out what the plan does not include. */
  toPatch(body: JsonObject, entitlements: Entitlements): JsonObject;
  /** Returns the body that sets these stored settings; {} if no field of the group is set. */
  toBody(settings: JsonObject): JsonObject;
}

/** Derives a group from its declaration. The type of the body determines the types of its functions. */
export function settingsGroup<Body extends TObject>({
  path,
  extension,
  apart,
  key,
  name,
  operation,
  about,
  change = 'Omitted fields stay as they are.',
  fields,
  body,
  refusals = [],
  refusal = () => null,
  underPlan = (sent) => sent,
  computed,
  conversion = {
    toSettings: (sent) => (key === undefined ? (sent as JsonObject) : { [key]: sent as JsonObject }),
    toFields: (settings) => (key === undefined ? settings : ((settings[key] ?? {}) as JsonObject)),
  },
}: Declaration<Body>): SettingsGroup {
  const stored = mergedObject(fields, computed ? {} : { $id: `${operation}Settings` });
  return {
    path,
    extension: extension === true,
    apart: apart === true,
    key,
    name,
    operation,
    about,
    change,
    shown: computed
      ? Type.Object({ ...fields, ...computed.fields }, { $id: `${operation}Settings` })
      : stored,
    stored,
    properties: key === undefined ? fields : { [key]: Type.Optional(stored) },
    body: { ...body, $id: `Patch${operation}Settings` },
    computed: computed ?? null,
    refusals,
    refusal: (sent, entitlements) => refusal(sent as Static<Body>, entitlements),
    toPatch: (sent, entitlements) => conversion.toSettings(underPlan(sent as Static<Body>, entitlements)),
    toBody: (settings) =>
      Object.fromEntries(
        Object.entries(conversion.toFields(settings)).filter(([field]) => field in body.properties),
      ),
  };
}
