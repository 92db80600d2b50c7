import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Storage } from '../ports/storage.port.js';

/** Upload bytes go straight to the storage plugin, past everything that reads bodies. All else goes to the app. */
export function createListener(app: Koa, storage: Storage): RequestListener {
  const serve = app.callback();
  return (request: IncomingMessage, response: ServerResponse) => {
    if (storage.receive && request.url?.startsWith('/uploads/')) storage.receive(request, response);
    else void serve(request, response);
  };
}
