import type { Settings } from '../config/settings.schema.js';
import type { Health } from '../core/ports/health.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import { reasonOf, whileStarted } from './started-plugin.js';

/** Long, because a local model may have to be loaded first. */
const PROBE_MS = 60_000;

/** Requests one token from every provider of the model plugin. */
export async function askProviders(
  settings: Settings,
  loaded: LoadedPlugin<'model'>,
): Promise<Record<string, Health>> {
  try {
    return await whileStarted('model', loaded, { settings }, (port) =>
      port.probe(AbortSignal.timeout(PROBE_MS)),
    );
  } catch (error) {
    return { [settings.plugins.model.use]: { ok: false, reason: reasonOf(error) } };
  }
}

/** Requests one vector from the embedding plugin. */
export async function askEmbedding(settings: Settings, loaded: LoadedPlugin<'embedding'>): Promise<Health> {
  try {
    return await whileStarted('embedding', loaded, { settings }, (port) =>
      port.probe(AbortSignal.timeout(PROBE_MS)),
    );
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

export const adviceOnModels = (models: Record<string, Health>): string[] =>
  Object.entries(models).flatMap(([name, health]) =>
    health.ok ? [] : [`Check the model provider ${name}: ${health.reason}`],
  );

export const adviceOnEmbedding = (embedding: Health): string[] =>
  embedding.ok ? [] : [`Check the embedding model: ${embedding.reason}`];
