import { Type } from '@sinclair/typebox';
import { appearance, designBody, position } from './design-body.js';
import { designPatch } from './design-patch.js';
import { mergedObject, settingsGroup } from './settings-group.js';

const optional = Type.Optional;
const text = Type.String();
const flag = Type.Boolean();

const branding = mergedObject({
  appearance: optional(appearance),
  bubbleColor: optional(text),
  primaryColor: optional(text),
  primaryColorHeader: optional(flag),
  bubbleIconUrl: optional(text),
  profilePictureUrl: optional(text),
  hideBranding: optional(flag),
});

const conversation = mergedObject({
  defaultPrompts: optional(
    mergedObject({
      enabled: optional(flag),
      prompts: optional(Type.Array(text)),
      keepShowing: optional(flag),
    }),
  ),
  initialMessages: optional(Type.Array(text)),
  messagePlaceholder: optional(text),
  showInitialMessageBubble: optional(flag),
});

export const design = settingsGroup({
  path: 'design',
  name: 'design',
  operation: 'Design',
  about:
    'How a chat widget looks and what it says first, stored for the application that shows it. Two have an effect in `chat`: each new conversation begins with `initialMessages`, and `language` is that of the sentences of the service itself, and of answers where the language of the user cannot be told. `hideBranding` is stored as false where the plan does not include it.',
  fields: {
    title: optional(text),
    language: optional(Type.String({ description: 'Canonical widget locale' })),
    position: optional(position),
    branding: optional(branding),
    conversation: optional(conversation),
  },
  body: designBody,
  /** Without the right to hide the branding, the request is accepted and the branding stays visible. */
  underPlan: (body, { features }) =>
    body.hideBranding && !features.removeBranding ? { ...body, hideBranding: false } : body,
  toSettings: designPatch,
});
