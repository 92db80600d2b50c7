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

/** The running plugins of one process. */
export interface StartedPlugins<R extends Role> {
  ports: Pick<Ports, KindOf<R>>;
  /** Stops one of them before the others. */
  stop(kind: KindOf<R>, deadlineMs: number): Promise<void>;
  /** Stops them all, the last started first; one that is stopped already stays so. */
  stopAll(deadlineMs: () => number): Promise<void>;
}

/**
 * Starts what a process of this role needs, in the order of the kinds; `lend` gets the ports that are already there.
 * When one fails, those before it are stopped, and PluginNotStarted says which it was.
 */
export async function startPlugins<R extends Role>(
  plugins: LoadedPlugins<KindOf<R>>,
  role: R,
  context: Omit<PluginContext<unknown>, 'options' | 'role'>,
  lend: (started: Partial<Ports>) => { [K in KindOf<R>]?: Lent[K] },
): Promise<StartedPlugins<R>> {
  const started = new Map<PluginKind, Started<Ports[PluginKind]>>();
  const ports = () => Object.fromEntries([...started].map(([kind, { port }]) => [kind, port]));
  for (const kind of kindsOf(role)) {
    try {
      const loaded: LoadedPlugin<PluginKind> = plugins[kind];
      const lent = lend(ports());
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
