import { canonicalLocale } from '../knowledge/widget-locale.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';
import { lines } from '../schemas/lines.js';
import type { DesignBody } from './design-body.js';

/** Converts a design body to a patch of the settings object: flat fields move to their groups, null clears. */
export function designPatch(body: DesignBody): JsonObject {
  const {
    title,
    language,
    position,
    initialMessages,
    messagePlaceholder,
    showInitialMessageBubble,
    prompts,
    keepShowing,
    hideBranding,
    ...rest
  } = body;
  const shown = prompts?.filter((prompt) => prompt !== '');
  return present({
    title,
    language: typeof language === 'string' ? canonicalLocale(language) : language,
    position,
    branding: group({ ...rest, hideBranding }),
    conversation: group({
      initialMessages: initialMessages === undefined ? undefined : messagesOf(initialMessages),
      messagePlaceholder,
      showInitialMessageBubble,
      defaultPrompts: group({
        prompts: shown,
        enabled: shown === undefined ? undefined : shown.length > 0,
        keepShowing,
      }),
    }),
  });
}

type Draft = Record<string, JsonValue | undefined>;

const messagesOf = (sent: string[] | string): string[] =>
  typeof sent === 'string' ? lines(sent) : sent.filter((message) => message !== '');

const present = (draft: Draft): JsonObject =>
  Object.fromEntries(
    Object.entries(draft).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );

const group = (draft: Draft): JsonObject | undefined => {
  const fields = present(draft);
  return Object.keys(fields).length === 0 ? undefined : fields;
};
