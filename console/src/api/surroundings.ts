/** Optional parts of the service behind this page. */
interface Surroundings {
  /** Uploads go through this service, to the origin of this page. */
  uploadsHere: boolean;
  /** There is an API reference at `/docs`. */
  hasReference: boolean;
}

let loading: Promise<Surroundings> | null = null;

/** Loads them once; again after a failure. */
export function surroundings(): Promise<Surroundings> {
  loading ??= fetch('/console/settings.json').then((response) => response.json() as Promise<Surroundings>);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}
