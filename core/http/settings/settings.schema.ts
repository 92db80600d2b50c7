import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { instructionsPresets, models } from '../../schemas/models.js';
import { nullable, oneOf, someOf } from '../../schemas/shapes.js';

const optional = Type.Optional;
const text = Type.String();
const flag = Type.Boolean();
const appearance = oneOf(['Light', 'Dark']);
const position = oneOf(['bottom-left', 'bottom-right']);
const url = nullable(Type.String({ format: 'http-url' }));

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

const color = Type.String({ maxLength: limits.color });

// --- what is stored and read: without the limits of lengths, which are younger than some settings ----------------------------------------------------------------------------------------

export const aiSettings = Type.Object(
  {
    model: optional(oneOf(models)),
    instructionsPreset: optional(oneOf(instructionsPresets)),
    instructionsPrompt: optional(text),
  },
  { $id: 'AiSettings' },
);

export const securitySettings = Type.Object(
  { isPrivate: optional(flag), rateLimit: optional(rateLimit), allowedDomains: optional(allowedDomains) },
  { $id: 'SecuritySettings' },
);

export const notificationSettings = Type.Object(
  {
    dailyConversations: optional(Type.Boolean({ description: 'Effective default: false' })),
    dailyEmails: optional(Type.Boolean({ description: 'Effective default: true' })),
    quotaAlerts: optional(Type.Boolean({ description: 'Effective default: true' })),
  },
  { $id: 'NotificationSettings' },
);

export const trainingSettings = Type.Object(
  { autoRetrainEnabled: optional(flag) },
  { $id: 'TrainingSettings' },
);

const branding = Type.Object({
  appearance: optional(appearance),
  bubbleColor: optional(text),
  primaryColor: optional(text),
  primaryColorHeader: optional(flag),
  bubbleIconUrl: optional(text),
  profilePictureUrl: optional(text),
  hideBranding: optional(flag),
});

const conversation = Type.Object({
  defaultPrompts: optional(
    Type.Object({
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
    features: optional(Type.Object({ attachments: optional(flag) })),
  },
  { $id: 'Settings' },
);

// --- what is sent ------------------------------------------------------------------------------------------------------

export const patchAiBody = someOf(
  {
    ...aiSettings.properties,
    instructionsPrompt: optional(Type.String({ maxLength: limits.instructionsPrompt })),
  },
  { $id: 'PatchAiSettings' },
);

export const patchSecurityBody = someOf(
  {
    ...securitySettings.properties,
    allowedDomains: optional(
      Type.Object(
        {
          enabled: flag,
          domains: Type.Array(
            Type.String({ format: 'domain-expression', maxLength: limits.domains.length }),
            { maxItems: limits.domains.max },
          ),
        },
        { domainsWhenEnabled: true },
      ),
    ),
  },
  { $id: 'PatchSecuritySettings' },
);

export const patchNotificationsBody = someOf(notificationSettings.properties, {
  $id: 'PatchNotificationSettings',
});
export const patchTrainingBody = Type.Object({ autoRetrainEnabled: flag }, { $id: 'PatchTrainingSettings' });

export const patchDesignBody = someOf(
  {
    title: optional(Type.String({ maxLength: limits.title })),
    language: optional(
      nullable(
        Type.String({
          format: 'widget-locale',
          description: 'Widget locale or an alias of one; null restores automatic detection',
        }),
      ),
    ),
    appearance: optional(appearance),
    primaryColor: optional(color),
    bubbleColor: optional(color),
    primaryColorHeader: optional(flag),
    position: optional(position),
    showInitialMessageBubble: optional(flag),
    initialMessages: optional(
      Type.Unsafe<string[] | string>({
        type: ['array', 'string'],
        maxItems: limits.initialMessages.max,
        items: { type: 'string', trim: true, maxLength: limits.initialMessages.length },
        maxLines: limits.initialMessages.max,
        maxLineLength: limits.initialMessages.length,
        description: 'A list, or one string with a message on each nonblank line',
      }),
    ),
    messagePlaceholder: optional(Type.String({ trim: true, maxLength: limits.messagePlaceholder })),
    bubbleIconUrl: optional(url),
    profilePictureUrl: optional(url),
    hideBranding: optional(flag),
    keepShowing: optional(flag),
    prompts: optional(
      Type.Array(Type.String({ trim: true, maxLength: limits.prompts.length }), {
        maxItems: limits.prompts.max,
      }),
    ),
  },
  { $id: 'PatchDesignSettings' },
);
