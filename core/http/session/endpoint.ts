import type { Static, TSchema } from '@sinclair/typebox';
import type { Context } from 'koa';
import type { SignedIn } from '../../ports/store/people/sessions.js';
import type { RouteResponse } from '../route.js';
import type { CookieNames } from './session-cookies.js';

/** A request of the browser, with its cookies. */
export interface SessionRequest<Body> {
  ctx: Context;
  body: Body;
  names: CookieNames;
  /** The session of the browser; null without a valid session. */
  signedIn: SignedIn | null;
}

export interface Endpoint<Body extends TSchema = TSchema> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the road; `:id` matches one part. */
  path: string;
  body?: Body;
  /** Its name in the audit log. */
  action?: string;
  /** Throws 401 without a session. */
  needsSession?: true;
  handle(request: SessionRequest<Static<Body>>): Promise<RouteResponse>;
}

/** Keeps the type of the body. */
export const endpoint = <B extends TSchema>(definition: Endpoint<B>): Endpoint =>
  definition as unknown as Endpoint;
