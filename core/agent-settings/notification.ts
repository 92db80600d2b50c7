import { Type } from '@sinclair/typebox';
import { someOf } from '../schemas/shapes.js';
import { settingsGroup } from './settings-group.js';

const flag = (unset: boolean) => Type.Optional(Type.Boolean({ default: unset }));

const fields = { dailyConversations: flag(false), dailyEmails: flag(true), quotaAlerts: flag(true) };

export const notification = settingsGroup({
  path: 'notifications',
  key: 'notification',
  name: 'notification',
  operation: 'Notification',
  about:
    'E-mails about the agent that its team receives. These settings have no effect yet: Cadre sends no e-mails about agents.',
  fields,
  body: someOf(fields),
});
