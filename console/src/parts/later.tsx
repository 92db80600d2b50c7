import type { ComponentType } from 'preact';
import { useLoaded } from '../loading.js';
import { Loading, Problem } from './notice.js';

interface LaterProps<P> {
  load: () => Promise<ComponentType<P>>;
  props: P;
}

/** A part whose script is loaded when it is first shown. */
export function Later<P extends object>({ load, props }: LaterProps<P>) {
  // A component is a function: in an object, so that it is kept and not called.
  const loaded = useLoaded(async () => ({ Part: await load() }), []);
  if (loaded.failure) return <Problem failure={loaded.failure} retry={() => location.reload()} />;
  if (!loaded.data) return <Loading />;
  const { Part } = loaded.data;
  return <Part {...props} />;
}
