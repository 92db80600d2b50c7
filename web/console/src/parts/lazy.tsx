import type { ComponentType } from 'preact';
import { useLoaded } from '../loading.js';
import { Loading, Problem } from './notice.js';

interface LazyProps<P> {
  load: () => Promise<ComponentType<P>>;
  props: P;
}

/** Renders a component whose script is loaded on demand. */
export function Lazy<P extends object>({ load, props }: LazyProps<P>) {
  // Wrapped in an object, because state setters call functions.
  const loaded = useLoaded(async () => ({ Part: await load() }), []);
  if (loaded.failure) return <Problem failure={loaded.failure} retry={() => location.reload()} />;
  if (!loaded.data) return <Loading />;
  const { Part } = loaded.data;
  return <Part {...props} />;
}
