import { type Static, Type } from '@sinclair/typebox';
import { widgetLocales } from '../locales/locale-files.js';
import { limits } from '../schemas/limits.js';
import { nullable, oneOf, someOf } from '../schemas/shapes.js';

const optional = Type.Optional;
const flag = Type.Boolean();
const url = nullable(
  Type.String({
    format: 'http-url-or-picture',
    description:
      'An http or https URL, or the URL or path of a picture that `addPicture` has stored. Null clears it',
  }),
);
const color = Type.String({ maxLength: limits.color });

export const appearance = oneOf(['Light', 'Dark']);
export const position = oneOf(['bottom-left', 'bottom-right']);

/** The request body has all design fields on one level, although they are stored in several groups. */
export const designBody = someOf({
  title: optional(Type.String({ maxLength: limits.title })),
  language: optional(
    nullable(
      Type.String({
        format: 'widget-locale',
        description: `Widget locale or an alias of one; null restores automatic detection. Locales: ${widgetLocales.join(', ')}`,
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
      description: 'A list of messages, or a string with one message per nonblank line',
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
});

export type DesignBody = Static<typeof designBody>;
