import { ApiError, overloaded } from '../../../core/errors/api-error.js';
import type { Span } from '../../../core/ports/tracing.port.js';
import { addIds, aside, inSpan, onTrail, traced, trailFields } from '../../../core/tracing/trail.js';
import t from '../../support/t.js';

/** A span that records calls. */
function noted(name: string, notes: string[]): Span {
  return {
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    begin: (piece) => noted(piece, notes),
    rename: () => {},
    set: (attributes) => void notes.push(`${name} ${Object.keys(attributes).join(' ')}`),
    fail: (why) => void notes.push(`${name} failed: ${why}`),
    end: () => void notes.push(`${name} ended`),
  };
}

t.test('log entries during the work carry its name, later ones do not', async (t) => {
  let endLater: () => void = () => {};
  const later = new Promise<void>((resolve) => {
    endLater = resolve;
  });
  let outlived: Promise<object> = Promise.resolve({});
  await onTrail({ requestId: 'r' }, null, async () => {
    addIds({ agentId: 'a' });
    t.same(trailFields(), { requestId: 'r', agentId: 'a' });
    t.same(aside(trailFields), {}, 'work of nobody');
    await onTrail({ requestId: 'other' }, null, async () => t.same(trailFields(), { requestId: 'other' }));
    outlived = later.then(() => trailFields());
  });
  endLater();
  t.same(await outlived, {}, 'a connection that was opened meanwhile');
  t.same(trailFields(), {});
});

t.test('spans have ids, children, an end, and the code of a failure', async (t) => {
  const notes: string[] = [];
  const failing = traced({ taskId: 't', requestId: null }, noted('work', notes), () =>
    inSpan('piece', 'client', async () => {
      t.match(trailFields(), { taskId: 't', traceId: 'a'.repeat(32) });
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    }),
  );
  await t.rejects(failing, { message: 'away' });
  t.same(notes, [
    'work cadre.task.id',
    'piece failed: ECONNREFUSED',
    'piece ended',
    'work failed: ECONNREFUSED',
    'work ended',
  ]);
});

t.test('a client error does not fail the span; an overload does', async (t) => {
  const said = async (error: Error) => {
    const notes: string[] = [];
    await t.rejects(traced({}, noted('turn', notes), () => Promise.reject(error)));
    return notes;
  };
  t.same(await said(new ApiError('QUOTA_STORAGE_LIMIT')), ['turn ', 'turn ended']);
  t.same(await said(overloaded(new Error('full'))), [
    'turn ',
    'turn failed: INTERNAL_SERVER_ERROR',
    'turn ended',
  ]);
});

t.test('without tracing, only the work runs', async (t) => {
  t.equal(await inSpan('piece', 'client', async (span) => span), null);
  await onTrail({}, null, async () => t.equal(await inSpan('piece', 'client', async (span) => span), null));
});
