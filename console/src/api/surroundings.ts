/** What the service that this page is from has, beside the API. */
interface Surroundings {
  /** Uploads come to this service: they go to the origin that this page is from, under whatever name it was opened. */
  uploadsHere: boolean;
  /** There is an API reference at `/docs`. */
  hasReference: boolean;
}

let loading: Promise<Surroundings> | null = null;

/** Asked for once; again after a failure. */
export function surroundings(): Promise<Surroundings> {
  loading ??= fetch('/console/settings.json').then((response) => response.json() as Promise<Surroundings>);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}
