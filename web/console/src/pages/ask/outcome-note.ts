import type { Shown } from '../../../../client/answer-events.js';

/** Describes the outcome of a message that did not end normally. */
export function noteOf({ status, errorText, metadata }: Shown): string | null {
  if (errorText !== undefined) return errorText;
  if (metadata.error) return metadata.error.message;
  if (status === 'failed') return 'The answer was cut off. Ask again.';
  return status === 'stopped' ? 'Stopped.' : null;
}
