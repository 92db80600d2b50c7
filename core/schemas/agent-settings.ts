import { type ObjectOptions, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { limits } from './limits.js';
import { instructionsPresets, models } from './models.js';
import { oneOf } from './shapes.js';

/** What is stored about an agent and read: without the limits of lengths, which are younger than some settings. */

const optional = Type.Optional;
const text = Type.String();
const flag = Type.Boolean();
export const appearance = oneOf(['Light', 'Dark']);
export const position = oneOf(['bottom-left', 'bottom-right']);

/** For code only: JSON does not show it. */
const merged = Symbol('merged');

/** An object that a patch changes field by field. Any other (a rate limit, a list of domains) is replaced as a whole. */
const group = <T extends TProperties>(fields: T, options: ObjectOptions = {}): TObject<T> =>
  Object.assign(Type.Object(fields, options), { [merged]: true });

const rateLimit = Type.Object({
  maxMessages: Type.Number({
    minimum: limits.rateLimit.maxMessages.min,
    maximum: limits.rateLimit.maxMessages.max,
  }),
  windowSeconds: Type.Number({
    minimum: limits.rateLimit.windowSeconds.min,
    maximum: limits.rateLimit.windowSeconds.max,
  }),
  limitMessage: Type.String({
    minLength: limits.rateLimit.limitMessage.min,
    maxLength: limits.rateLimit.limitMessage.max,
  }),
});

const allowedDomains = Type.Object({ enabled: flag, domains: Type.Array(text) });

export const aiSettings = group(
  {
    model: optional(oneOf(models)),
    instructionsPreset: optional(oneOf(instructionsPresets)),
    instructionsPrompt: optional(text),
  },
  { $id: 'AiSettings' },
);

export const securitySettings = group(
  { isPrivate: optional(flag), rateLimit: optional(rateLimit), allowedDomains: optional(allowedDomains) },
  { $id: 'SecuritySettings' },
);

export const notificationSettings = group(
  {
    dailyConversations: optional(Type.Boolean({ description: 'Effective default: false' })),
    dailyEmails: optional(Type.Boolean({ description: 'Effective default: true' })),
    quotaAlerts: optional(Type.Boolean({ description: 'Effective default: true' })),
  },
  { $id: 'NotificationSettings' },
);

export const trainingSettings = group({ autoRetrainEnabled: optional(flag) }, { $id: 'TrainingSettings' });

const branding = group({
  appearance: optional(appearance),
  bubbleColor: optional(text),
  primaryColor: optional(text),
  primaryColorHeader: optional(flag),
  bubbleIconUrl: optional(text),
  profilePictureUrl: optional(text),
  hideBranding: optional(flag),
});

const conversation = group({
  defaultPrompts: optional(
    group({
      enabled: optional(flag),
      prompts: optional(Type.Array(text)),
      keepShowing: optional(flag),
    }),
  ),
  initialMessages: optional(Type.Array(text)),
  messagePlaceholder: optional(text),
  showInitialMessageBubble: optional(flag),
});

const designGroups = {
  title: optional(text),
  language: optional(Type.String({ description: 'Canonical widget locale' })),
  position: optional(position),
  branding: optional(branding),
  conversation: optional(conversation),
};

export const designSettings = Type.Object(designGroups, { $id: 'DesignSettings' });

/** All that may be stored about an agent; groups that were never set are absent. */
export const settingsSchema = Type.Object(
  {
    ...designGroups,
    ai: optional(aiSettings),
    security: optional(securitySettings),
    notification: optional(notificationSettings),
    training: optional(trainingSettings),
    guardrails: optional(Type.Object({})),
    channels: optional(Type.Object({})),
    identityVerification: optional(Type.Object({})),
    features: optional(group({ attachments: optional(flag) })),
  },
  { $id: 'Settings' },
);

const groupsIn = ({ properties }: TObject): string[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    merged in schema ? [name, ...groupsIn(schema as unknown as TObject)] : [],
  );

/** Names of all groups, inner ones too. */
export const mergedGroups: ReadonlySet<string> = new Set(groupsIn(settingsSchema));
