import type { AnsweringAgent } from '../chat/answerer.js';
import type { VisitorAllowance } from '../visitors/allowance.js';
import type { Viewer } from './viewer.js';

/** Agent and caller of a request. */
export interface Asker extends AnsweringAgent {
  viewer: Viewer;
  /** Owner of the share of writers that the request uses. */
  share: string;
  /** Limits of a visitor; null for API keys and social platforms. */
  visitor: VisitorAllowance | null;
  /** Called for a visitor's message that is within its limits, before it is stored. Throws to refuse it. */
  onAdmitted?: (() => void) | undefined;
  requestId: string;
  /** Hashes of the idempotency key and of the request. */
  key: { hash: string; fingerprint: string } | null;
}
