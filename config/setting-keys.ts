import { settingsSchema } from './settings.schema.js';

/** JSON Schema keywords and annotations of one setting. */
interface SettingSchema {
  type: string | readonly string[];
  description: string;
  env?: string;
  unit?: string;
  expects?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  writeOnly?: boolean;
}

export interface SettingKey {
  /** `section.key` */
  path: string;
  /** Name of the environment variable. Secrets also have `<env>_FILE`. */
  env: string;
  secret: boolean;
  nullable: boolean;
  /** JSON type, other than null. */
  type: string;
  /** Describes valid values: `a whole number from 1 to 5 (s)`. */
  expects: string;
  description: string;
}

/** Returns the name of a setting's environment variable: `CADRE_CRAWL_TIMEOUT_MS` for `crawl.timeoutMs`. */
export const derivedName = (path: string): string =>
  `CADRE_${path
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`;

function valueDescription(schema: SettingSchema): string {
  if (schema.expects !== undefined) return schema.expects;
  if (schema.enum !== undefined)
    return `one of ${schema.enum.filter((word: unknown) => word !== null).join(', ')}`;
  return `a whole number from ${schema.minimum} to ${schema.maximum} (${schema.unit})`;
}

function settingKey(path: string, schema: SettingSchema): SettingKey {
  const types = [schema.type].flat();
  const nullable = types.includes('null');
  return {
    path,
    env: schema.env ?? derivedName(path),
    secret: schema.writeOnly === true,
    nullable,
    type: types.find((type) => type !== 'null') ?? 'null',
    expects: nullable ? `${valueDescription(schema)}, or null` : valueDescription(schema),
    description: schema.description,
  };
}

interface Section {
  properties: Record<string, Section | SettingSchema>;
}

function keysOf(node: Section | SettingSchema, path: string): SettingKey[] {
  if (!('properties' in node)) return [settingKey(path, node)];
  return Object.entries(node.properties).flatMap(([name, child]) =>
    keysOf(child, path === '' ? name : `${path}.${name}`),
  );
}

/** All settings, in the order of the schema. */
export const settingKeys: readonly SettingKey[] = keysOf(settingsSchema as unknown as Section, '');

const pathsUpTo = (path: string): string[] =>
  path.split('.').map((_, i, names) => names.slice(0, i + 1).join('.'));

/** Paths of all settings and sections. */
export const settingPaths: ReadonlySet<string> = new Set(settingKeys.flatMap((key) => pathsUpTo(key.path)));
