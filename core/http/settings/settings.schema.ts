import { Type } from '@sinclair/typebox';
import {
  aiSettings,
  appearance,
  notificationSettings,
  position,
  securitySettings,
} from '../../schemas/agent-settings.js';
import { limits } from '../../schemas/limits.js';
import { nullable, someOf } from '../../schemas/shapes.js';

const optional = Type.Optional;
const flag = Type.Boolean();
const url = nullable(Type.String({ format: 'http-url' }));

const color = Type.String({ maxLength: limits.color });

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
