import { Type } from '@sinclair/typebox';
import type { JsonObject } from '../schemas/json.js';
import { someOf } from '../schemas/shapes.js';
import { settingsGroup } from './settings-group.js';

const unset = { dailyConversations: false, dailyEmails: true, quotaAlerts: true };

/** Returns whether settings of an agent ask for a kind of e-mail. */
export const isMailOn = (settings: JsonObject, kind: keyof typeof unset): boolean =>
  (settings.notification as Partial<typeof unset> | undefined)?.[kind] ?? unset[kind];

const flag = (name: keyof typeof unset) => Type.Optional(Type.Boolean({ default: unset[name] }));

const fields = {
  dailyConversations: flag('dailyConversations'),
  dailyEmails: flag('dailyEmails'),
  quotaAlerts: flag('quotaAlerts'),
};

export const notification = settingsGroup({
  path: 'notifications',
  key: 'notification',
  name: 'notification',
  operation: 'Notification',
  about:
    'E-mails about the agent that its team receives, if the service has a mail server. `dailyConversations`: each conversation of the day before. `dailyEmails`: a summary of the day before, if there was a question. `quotaAlerts`: at once, when the workspace passes 90 % or 100 % of an allowance.',
  fields,
  body: someOf(fields),
});
