import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Storage } from '../../ports/storage.port.js';

/** Passes uploads to the storage plugin, which reads their bodies itself, and other requests to the app. */
export function createListener(app: Koa, storage: Storage): RequestListener {
  const serve = app.callback();
  return (request: IncomingMessage, response: ServerResponse) => {
    if (storage.receive && request.url?.startsWith('/uploads/')) storage.receive(request, response);
    else void serve(request, response);
  };
}
