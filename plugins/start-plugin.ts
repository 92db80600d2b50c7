import { inspect } from 'node:util';
import { inTime } from '../core/fairness/time-limit.js';
import type { Lent, PluginContext, PluginKind, Ports, Started } from '../core/ports/plugin.port.js';
import type { LoadedPlugin } from './load-plugins.js';
import { PluginNotStarted } from './plugin-error.js';
import { startedFaults } from './started-shape.js';

/** Timeout of a start in milliseconds. Plugins do not wait for unavailable services, so a longer start has hung. */
const START_MS = 60_000;

/**
 * Starts a plugin and checks its port. Rejects with PluginNotStarted if the plugin throws, lacks a part of its port,
 * or takes longer than `withinMs`.
 */
export async function startPlugin<K extends PluginKind>(
  kind: K,
  { plugin, options }: LoadedPlugin<K>,
  context: Omit<PluginContext<unknown>, 'options'> & Lent[K],
  withinMs = START_MS,
): Promise<Started<Ports[K]>> {
  try {
    const given = { ...context, options } as unknown as PluginContext<unknown, K>;
    const started: unknown = await inTime(withinMs, plugin.start(given), () => {
      throw new Error(`start has not ended within ${withinMs / 1000} seconds`);
    });
    const faults = startedFaults(kind, started);
    if (faults.length === 0) return started as Started<Ports[K]>;
    await tryToStop(started);
    throw new Error(`start must resolve to {port, stop}, but ${faults.join(', ')}`);
  } catch (error) {
    throw new PluginNotStarted(kind, plugin.name, asError(error));
  }
}

/** Stops an invalid plugin if possible. */
async function tryToStop(started: unknown): Promise<void> {
  const { stop } = Object(started) as Partial<Started<unknown>>;
  if (typeof stop === 'function') await Promise.resolve(stop({ deadlineMs: 0 })).catch(() => {});
}

const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error(
        `start threw ${typeof thrown === 'string' ? JSON.stringify(thrown) : inspect(thrown, { depth: 0 })}, which is not an error`,
      );
