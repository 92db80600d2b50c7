import { type Static, Type } from '@sinclair/typebox';
import { position } from '../../agent-settings/design-body.js';
import type { HandoverSettings } from '../../agent-settings/handover-settings.js';

const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

interface FrameHandover
  extends Pick<HandoverSettings, 'enabled' | 'offer' | 'waitSeconds' | 'form' | 'showNames'> {
  open: boolean;
}

/** Settings of an agent for the page of the widget. The server embeds them into the page as JSON. */
const frameSettings = Type.Object({
  agentId: Type.String(),
  title: Type.String({ description: "The agent's name if no title is set" }),
  language: textOrNull('Canonical widget locale; null: detected by the browser'),
  position,
  appearance: Type.Unsafe<'light' | 'dark' | null>({
    enum: ['light', 'dark', null],
    description: "null: the visitor's colour scheme",
  }),
  bubbleColor: textOrNull('As stored, so possibly not a colour. null: `primaryColor`'),
  primaryColor: textOrNull('As stored, so possibly not a colour. null: the default'),
  primaryColorHeader: Type.Boolean(),
  bubbleIconUrl: textOrNull('http or https, or the path of a picture'),
  profilePictureUrl: textOrNull('http or https, or the path of a picture'),
  branding: Type.Boolean({ description: 'Whether to show "Powered by"' }),
  initialMessages: Type.Array(Type.String()),
  showInitialMessageBubble: Type.Boolean(),
  defaultPrompts: Type.Array(Type.String()),
  keepShowingPrompts: Type.Boolean(),
  messagePlaceholder: textOrNull("null: the locale's own"),
  handover: Type.Unsafe<FrameHandover>({
    description:
      'How visitors reach a person. `open`: whether it is within the hours when the page is served',
  }),
  isWhole: Type.Boolean({ description: 'Whether the page is opened by itself, and not in a frame' }),
  build: Type.String({ description: 'Identifies the build of the page' }),
});

export type FrameSettings = Static<typeof frameSettings>;
