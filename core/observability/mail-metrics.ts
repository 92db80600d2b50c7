import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of e-mails. */
export function createMailMetrics(registers: Registry[]) {
  const attempts = new Counter({
    name: 'mails_total',
    help: 'Attempts to send an e-mail: sent; dropped, because it has no recipient any more; or the code of the failure',
    labelNames: ['outcome'],
    registers,
  });
  const waiting = new Gauge({
    name: 'mails_waiting',
    help: 'E-mails in the outbox, including failed ones before their next attempt',
    registers,
  });
  const overdue = new Gauge({
    name: 'mails_overdue_seconds',
    help: 'Time since the e-mail that waits longest was due; 0 without any',
    registers,
  });
  return {
    attempt: (outcome: string) => attempts.inc({ outcome }),
    backlog(
      { waiting: count, oldestDueAtMs }: { waiting: number; oldestDueAtMs: number | null },
      nowMs: number,
    ) {
      waiting.set(count);
      overdue.set(oldestDueAtMs === null ? 0 : Math.max(0, nowMs - oldestDueAtMs) / 1000);
    },
  };
}
