import { canonicalLocale } from '../locales/canonical-locale.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';
import { lines } from '../schemas/lines.js';
import type { DesignBody } from './design-body.js';

/** Path in the settings of the object that holds each field. `enabled` is derived from `prompts`. */
const places: Record<keyof DesignBody | 'enabled', readonly string[]> = {
  title: [],
  language: [],
  position: [],
  appearance: ['branding'],
  primaryColor: ['branding'],
  bubbleColor: ['branding'],
  primaryColorHeader: ['branding'],
  bubbleIconUrl: ['branding'],
  profilePictureUrl: ['branding'],
  hideBranding: ['branding'],
  initialMessages: ['conversation'],
  messagePlaceholder: ['conversation'],
  showInitialMessageBubble: ['conversation'],
  prompts: ['conversation', 'defaultPrompts'],
  enabled: ['conversation', 'defaultPrompts'],
  keepShowing: ['conversation', 'defaultPrompts'],
};

/** Converts a design body to a patch of the settings object: moves fields to their groups. A null clears a field. */
export function designPatch({ language, initialMessages, prompts, ...rest }: DesignBody): JsonObject {
  const shown = prompts?.filter((prompt) => prompt !== '');
  const fields: Record<string, JsonValue | undefined> = {
    ...rest,
    language: typeof language === 'string' ? canonicalLocale(language) : language,
    initialMessages: initialMessages === undefined ? undefined : messagesOf(initialMessages),
    prompts: shown,
    enabled: shown === undefined ? undefined : shown.length > 0,
  };
  const patch: JsonObject = {};
  for (const [name, path] of Object.entries(places)) {
    const value = fields[name];
    if (value !== undefined) objectAt(patch, path)[name] = value;
  }
  return patch;
}

/** Returns the fields of stored settings on one level. */
export const designFields = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(places).flatMap(([name, path]) => {
      const value = path.reduce((at, step) => (at[step] ?? {}) as JsonObject, settings)[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const messagesOf = (sent: string[] | string): string[] =>
  typeof sent === 'string' ? lines(sent) : sent.filter((message) => message !== '');

/** Returns the object at the path. Creates it if it is missing. */
const objectAt = (root: JsonObject, path: readonly string[]): JsonObject =>
  path.reduce((at, step) => {
    at[step] ??= {};
    return at[step] as JsonObject;
  }, root);
