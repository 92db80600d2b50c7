import { createHmac } from 'node:crypto';
import { type RateLimit, rateLimitOf } from '../agent-settings/rate-limit.js';
import { builtInMessages } from '../locales/built-in-messages.js';
import type { Clock } from '../ports/clock.port.js';
import type { JsonObject } from '../schemas/json.js';
import type { Keyring } from '../secrets/keyring.js';
import { addressPerDay, dayOf, endOfDay, type Rate } from './limits.js';

/** Limits of a message from a visitor. */
export interface VisitorAllowance {
  /** Limit of the visitor. */
  limit: RateLimit;
  /** Limit of the visitor's address, for all visitors of the agent together. `key` is an HMAC. */
  address: { key: string; rate: Rate };
  /** Daily limit of the address, for all agents of the workspace together. `key` is an HMAC that changes daily. */
  addressToday: { key: string; messages: number; endMs: number };
  /**
   * Daily limit of all visitors of the workspace. `visitorStorageBytes` limits the stored bytes of all days.
   * `unavailable`: sentence for visitors when a limit is reached.
   */
  today: { day: string; messages: number; visitorStorageBytes: number; unavailable: string };
}

interface AllowanceOptions {
  /** `widget.rateLimit` and `widget.addressFactor` */
  rateLimit: { maxMessages: number; windowSeconds: number };
  addressFactor: number;
  keyring: Keyring;
  clock: Clock;
}

interface Message {
  settings: JsonObject;
  /** Address of the client: IPv4, or the /64 network of IPv6. */
  network: string;
  messagesPerDay: number;
  visitorStorageBytes: number;
}

export type AllowanceOf = (message: Message) => VisitorAllowance;

export function createAllowances({
  rateLimit,
  addressFactor,
  keyring,
  clock,
}: AllowanceOptions): AllowanceOf {
  const { currentId, byId } = keyring.derive('addresses of visitors');
  const secret = byId.get(currentId) ?? new Uint8Array();
  const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url');

  return ({ settings, network, messagesPerDay, visitorStorageBytes }) => {
    const nowMs = clock.now();
    const day = dayOf(nowMs);
    const language = typeof settings.language === 'string' ? settings.language : null;
    const limit = rateLimitOf(settings) ?? {
      ...rateLimit,
      limitMessage: builtInMessages(language).rateLimited,
    };
    const messages = Math.floor(limit.maxMessages) * addressFactor;
    return {
      limit,
      address: { key: hmac(network), rate: { messages, windowMs: limit.windowSeconds * 1000 } },
      addressToday: {
        key: hmac(`${day} ${network}`),
        messages: addressPerDay(messagesPerDay),
        endMs: endOfDay(nowMs),
      },
      today: {
        day,
        messages: messagesPerDay,
        visitorStorageBytes,
        unavailable: builtInMessages(language).unavailable,
      },
    };
  };
}
