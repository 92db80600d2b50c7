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
    'How the chat widget looks and what it says first: title, language, position, branding and conversation. `hideBranding` has an effect only where the plan includes it.',
  fields: {
    title: optional(text),
    language: optional(Type.String({ description: 'Canonical widget locale' })),
    position: optional(position),
    branding: optional(branding),
    conversation: optional(conversation),
  },
  body: designBody,
  /** Who may not hide the branding is not refused: it stays visible. */
  underPlan: (body, { features }) =>
    body.hideBranding && !features.removeBranding ? { ...body, hideBranding: false } : body,
  toSettings: designPatch,
});
