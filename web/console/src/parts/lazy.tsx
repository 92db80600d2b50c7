import type { ComponentType } from 'preact';
import { useLoaded } from '../loading.js';
import { Loading, Problem } from './notice.js';

interface LazyProps<P> {
  load: () => Promise<ComponentType<P>>;
  props: P;
}

/** Components that were loaded before, which are rendered at once. */
const known = new Map<unknown, unknown>();

/** Renders a component whose script is loaded on demand. */
export function Lazy<P extends object>({ load, props }: LazyProps<P>) {
  const { failure } = useLoaded(async () => known.set(load, await load()), []);
  if (failure) return <Problem failure={failure} retry={() => location.reload()} />;
  const Part = known.get(load) as ComponentType<P> | undefined;
  return Part ? <Part {...props} /> : <Loading />;
}
