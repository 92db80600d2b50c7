import { type Channel, ChannelFailure } from '../../core/ports/channel.port.js';
import type { ChannelPlugin } from '../../core/ports/plugin.port.js';

const refuse = async (): Promise<never> => {
  throw new ChannelFailure('RECONNECT_REQUIRED', { sure: true });
};

const port: Channel = {
  isConfigured: false,
  verify: () => null,
  isSigned: () => false,
  parse: () => ({ ok: false, refusal: 'forbidden' }),
  inspect: refuse,
  connect: refuse,
  disconnect: refuse,
  renew: refuse,
  publish: refuse,
  clear: refuse,
  profile: refuse,
  send: refuse,
  privateReply: refuse,
  recent: refuse,
  health: async () => ({ ok: true }),
};

/** The embedded default: no social platform is connected. */
export const noChannel: ChannelPlugin<object> = {
  name: 'none',
  kind: 'channel',
  contract: 1,
  optionsSchema: { type: 'object', additionalProperties: false, properties: {} },
  start: async () => ({ port, stop: async () => {} }),
};
