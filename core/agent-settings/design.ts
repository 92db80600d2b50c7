import { Type } from '@sinclair/typebox';
import { appearance, designBody, position } from './design-body.js';
import { designFields, designPatch } from './design-patch.js';
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
    'Appearance and initial messages of the widget. A saved change takes effect when a page is reloaded. Two fields also affect `chat`: each new conversation begins with `initialMessages`, and `language` is the language of built-in messages, and of answers if the language of the user is unknown. `hideBranding` is stored as false if the plan does not include it.',
  fields: {
    title: optional(text),
    language: optional(Type.String({ description: 'Canonical widget locale' })),
    position: optional(position),
    branding: optional(branding),
    conversation: optional(conversation),
  },
  body: designBody,
  /** Ignores `hideBranding` if the plan does not include it. */
  underPlan: (body, { features }) =>
    body.hideBranding && !features.removeBranding ? { ...body, hideBranding: false } : body,
  conversion: { toSettings: designPatch, toFields: designFields },
});
