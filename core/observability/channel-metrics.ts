import { Counter, Gauge, type Registry } from 'prom-client';
import type { SocialMetrics } from '../channels/social.js';

/**
 * Registers the metrics of the social channel and returns their recorders. `oldest` sets the age of the oldest
 * waiting event, in seconds.
 */
export function createChannelMetrics(
  registers: Registry[],
): SocialMetrics & { oldest(seconds: number): void } {
  const events = new Counter({
    name: 'channel_events_total',
    help: 'Events of the social channel, by outcome: accepted, repeated (ignored), unknown_account, or refused (too many waiting)',
    labelNames: ['outcome'],
    registers,
  });
  const deliveries = new Counter({
    name: 'channel_deliveries_total',
    help: 'Messages to people on the social channel, by final status',
    labelNames: ['status'],
    registers,
  });
  const oldest = new Gauge({
    name: 'channel_oldest_event_seconds',
    help: 'Age of the oldest unhandled event of the social channel; 0 if there is none',
    registers,
  });
  return {
    events: (outcome, count) => events.inc({ outcome }, count),
    delivery: (status) => deliveries.inc({ status }),
    oldest: (seconds) => oldest.set(seconds),
  };
}
