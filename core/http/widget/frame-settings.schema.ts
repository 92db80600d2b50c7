import { type Static, Type } from '@sinclair/typebox';
import { position } from '../../agent-settings/design-body.js';

const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

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
  bubbleIconUrl: textOrNull('http or https'),
  profilePictureUrl: textOrNull('http or https'),
  branding: Type.Boolean({ description: 'Whether to show "Powered by"' }),
  initialMessages: Type.Array(Type.String()),
  showInitialMessageBubble: Type.Boolean(),
  defaultPrompts: Type.Array(Type.String()),
  keepShowingPrompts: Type.Boolean(),
  messagePlaceholder: textOrNull("null: the locale's own"),
  build: Type.String({ description: 'Identifies the build of the page' }),
});

export type FrameSettings = Static<typeof frameSettings>;
