import { Type } from '@sinclair/typebox';
import { channelFailureCodes } from '../../errors/channel-failures.js';
import { channelPermissions } from '../../ports/channel.port.js';
import { outgoingKinds, outgoingStatuses } from '../../ports/store/channels/channel-flow.js';
import {
  automationScopes,
  automationStatuses,
  automationTypes,
} from '../../ports/store/channels/channels.js';
import { limits } from '../../schemas/limits.js';
import { listOf, nullable, oneOf, pageQuery, someOf, unixSeconds, uuid } from '../../schemas/shapes.js';

const { social } = limits;

export const connectBody = Type.Object(
  {
    accessToken: Type.String({
      minLength: 1,
      maxLength: social.token,
      pattern: '^[ -~]+$',
      description: "Access token of the account, from the platform's dashboard",
      examples: ['EAAB0aBcDeFgHiJkLmNoPqRsTuVwXyZ'],
    }),
  },
  { $id: 'ConnectSocialChannel' },
);

/** Without a connection, only `connected` is present. */
export const connectionSchema = Type.Object(
  {
    connected: Type.Boolean({ description: 'Whether messages can be received and sent' }),
    status: Type.Optional(oneOf(['connected', 'reconnect_required'])),
    accountId: Type.Optional(Type.String({ examples: ['17841400'] })),
    username: Type.Optional(Type.String({ examples: ['acme'] })),
    permissions: Type.Optional(Type.Array(oneOf(channelPermissions))),
    tokenExpiresAt: Type.Optional(
      nullable(unixSeconds('Expiry of the token. Cadre renews the token before. null: it does not expire')),
    ),
    connectedAt: Type.Optional(unixSeconds('When the account was connected')),
    reconnectReason: Type.Optional(
      nullable(oneOf(channelFailureCodes, { description: 'Why the token can no longer be used' })),
    ),
  },
  { $id: 'SocialConnection' },
);

const targetId = nullable(
  Type.String({
    pattern: '^[0-9_]{1,64}$',
    description: 'Required to go live with the scope `specific`',
    examples: ['17900'],
  }),
);
const scope = (what: string) =>
  nullable(
    oneOf(automationScopes, {
      description: `\`specific\`: one ${what}. \`any\`: every ${what}, unless an automation of its own matches`,
    }),
  );
const settings = {
  name: Type.String({ trim: true, minLength: 1, maxLength: social.automationName, examples: ['Price list'] }),
  status: oneOf(automationStatuses, { description: 'Drafts do nothing and may be incomplete' }),
  postScope: scope('post'),
  postId: targetId,
  storyScope: scope('story'),
  storyId: targetId,
  keywords: Type.Array(Type.String({ trim: true, minLength: 1, maxLength: social.keyword }), {
    maxItems: social.keywords,
    description:
      'Whole words or phrases. The automation reacts to texts with any of them, in upper or lower case. Empty: to all texts',
    examples: [['price', 'how much']],
  }),
  message: nullable(
    Type.String({
      minLength: 1,
      notBlank: true,
      maxUtf8Bytes: social.messageBytes,
      description: 'Text that is sent to the person',
      examples: ['Here is our price list: https://acme.com/prices'],
    }),
  ),
};
const type = oneOf(automationTypes, {
  description:
    '`comment_to_dm` answers comments on posts with a private message; `story_leads` answers replies to stories',
});

const { name, ...optional } = settings;
export const createAutomationBody = Type.Object(
  { type, name, ...Type.Partial(Type.Object(optional)).properties },
  {
    $id: 'CreateAutomation',
  },
);
export const patchAutomationBody = someOf(Type.Partial(Type.Object(settings)).properties, {
  $id: 'PatchAutomation',
});

const { postScope, postId, storyScope, storyId } = settings;
export const automationSchema = Type.Object(
  {
    id: uuid('Automation id'),
    type,
    status: settings.status,
    name: Type.String({ examples: ['Price list'] }),
    postScope: Type.Optional(postScope),
    postId: Type.Optional(postId),
    storyScope: Type.Optional(storyScope),
    storyId: Type.Optional(storyId),
    keywords: Type.Array(Type.String(), { examples: [['price', 'how much']] }),
    message: nullable(Type.String({ examples: ['Here is our price list: https://acme.com/prices'] })),
    createdAt: unixSeconds('Creation'),
    updatedAt: unixSeconds('Last change'),
  },
  { $id: 'Automation' },
);
export const automationListSchema = listOf(automationSchema, 'AutomationList');
export const listAutomationsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(oneOf(automationStatuses, { description: 'Only automations with this status' })),
});

const title = Type.String({
  trim: true,
  minLength: 1,
  maxLength: social.menu.title,
  examples: ['Opening hours'],
});
const menuMessage = Type.String({
  trim: true,
  minLength: 1,
  maxLength: social.menu.message,
  description: 'Sent as a message of the person who taps the entry',
  examples: ['When are you open?'],
});
const menuItem = Type.Object(
  {
    title,
    message: Type.Optional(menuMessage),
    url: Type.Optional(
      Type.String({
        maxLength: limits.url.max,
        format: 'http-url',
        pattern: '^https://',
        description: 'Page that a tap opens. Send either this or `message`',
      }),
    ),
  },
  { oneOf: [{ required: ['message'] }, { required: ['url'] }] },
);
const starterItem = Type.Object({
  question: Type.String({
    trim: true,
    minLength: 1,
    maxLength: social.starters.question,
    examples: ['Where is your shop?'],
  }),
});

const bodyOf = <S extends typeof menuItem | typeof starterItem>(item: S, maxItems: number, $id: string) =>
  Type.Object(
    { items: Type.Array(item, { maxItems, description: 'In order of display; empty to remove all items' }) },
    { $id },
  );
export const menuBody = bodyOf(menuItem, social.menu.max, 'PatchPersistentMenu');
export const startersBody = bodyOf(starterItem, social.starters.max, 'PatchConversationStarters');

const platformError = nullable(
  Type.Object({
    code: oneOf(channelFailureCodes),
    http_status: nullable(Type.Integer({ description: "HTTP status of the platform's response" })),
    upstream_code: nullable(Type.Integer({ description: 'Error code of the platform' })),
  }),
);

const profileOf = <S extends typeof menuItem | typeof starterItem>(item: S, $id: string) =>
  Type.Object(
    {
      desired: nullable(
        Type.Object(
          { items: Type.Array(item), updatedAt: unixSeconds('Last request') },
          { description: 'Items of the last update' },
        ),
      ),
      live: nullable(
        Type.Object(
          { items: Type.Array(item), confirmedAt: unixSeconds('Confirmation') },
          { description: 'Published items, as last confirmed by the platform' },
        ),
      ),
      sync: Type.Object({
        status: oneOf(['idle', 'running', 'failed']),
        startedAt: nullable(unixSeconds('Start of the last sync')),
        error: platformError,
      }),
    },
    { $id },
  );
export const menuSchema = profileOf(menuItem, 'PersistentMenu');
export const startersSchema = profileOf(starterItem, 'ConversationStarters');

export const sendSocialMessageBody = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      notBlank: true,
      maxUtf8Bytes: social.messageBytes,
      examples: ['Hello, this is Ada from Acme.'],
    }),
  },
  { $id: 'SendSocialMessage' },
);
export const patchSocialConversationBody = Type.Object(
  { paused: Type.Boolean({ description: 'Whether to pause the agent in the conversation' }) },
  { $id: 'PatchSocialConversation' },
);
export const socialConversationSchema = Type.Object(
  {
    paused: Type.Boolean({ description: 'Whether the agent is paused in the conversation' }),
    pausedUntil: nullable(
      unixSeconds('End of the pause; null if the agent is not paused, or paused until it is handed back'),
    ),
    writableUntil: nullable(
      unixSeconds('Until when the platform accepts messages to the person; null if that time is over'),
    ),
  },
  { $id: 'SocialConversation' },
);
export const pausedSchema = Type.Object({ paused: Type.Boolean() }, { $id: 'SocialConversationState' });

export const channelDeliverySchema = Type.Object(
  {
    id: uuid('Delivery id'),
    conversationId: nullable(
      Type.String({
        format: 'uuid',
        description: 'null for a private reply to a comment, because it begins the conversation',
      }),
    ),
    kind: oneOf(outgoingKinds),
    status: oneOf(outgoingStatuses),
    attempts: Type.Integer({ minimum: 0 }),
    error: platformError,
    createdAt: unixSeconds('Creation'),
    sentAt: nullable(unixSeconds('When the platform accepted the message')),
  },
  { $id: 'SocialDelivery' },
);
export const channelDeliveryListSchema = listOf(channelDeliverySchema, 'SocialDeliveryList');
export const listChannelDeliveriesQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(oneOf(outgoingStatuses, { description: 'Only messages with this status' })),
});
