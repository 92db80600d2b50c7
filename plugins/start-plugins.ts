import {
  type KindOf,
  kindsOf,
  type Lent,
  type PluginContext,
  type PluginKind,
  type Ports,
  type Role,
  type Started,
} from '../core/ports/plugin.port.js';
import type { LoadedPlugin, LoadedPlugins } from './load-plugins.js';
import { startPlugin } from './start-plugin.js';

type LentTo<R extends Role> = { [K in KindOf<R>]?: Lent[K] };

export interface StartedPlugins<R extends Role> {
  ports: Pick<Ports, KindOf<R>>;
  /** Stops one plugin before the others are stopped. */
  stop(kind: KindOf<R>, deadlineMs: number): Promise<void>;
  /** Stops all plugins in reverse order. Stopping a plugin twice has no effect. */
  stopAll(deadlineMs: () => number): Promise<void>;
}

/**
 * Starts the plugins of a role in the order of the kinds. Before each start, `lend` returns the parts of the process
 * that plugins may use; it receives the ports started so far. If a start fails, stops the started plugins and rejects
 * with PluginNotStarted.
 */
export async function startPlugins<R extends Role>(
  plugins: LoadedPlugins<KindOf<R>>,
  role: R,
  context: Omit<PluginContext<unknown>, 'options' | 'role'>,
  lend: (started: Partial<Ports>) => LentTo<R> | Promise<LentTo<R>>,
): Promise<StartedPlugins<R>> {
  const started = new Map<PluginKind, Started<Ports[PluginKind]>>();
  const ports = () => Object.fromEntries([...started].map(([kind, { port }]) => [kind, port]));
  for (const kind of kindsOf(role)) {
    try {
      const loaded: LoadedPlugin<PluginKind> = plugins[kind];
      const lent = await lend(ports());
      started.set(kind, await startPlugin(kind, loaded, { ...context, ...lent[kind], role }));
    } catch (error) {
      await Promise.allSettled([...started.values()].map(({ stop }) => stop({ deadlineMs: 0 })));
      throw error;
    }
  }
  return {
    ports: ports() as unknown as StartedPlugins<R>['ports'],
    stop: async (kind, deadlineMs) => started.get(kind)?.stop({ deadlineMs }),
    async stopAll(deadlineMs) {
      for (const { stop } of [...started.values()].reverse()) await stop({ deadlineMs: deadlineMs() });
    },
  };
}
