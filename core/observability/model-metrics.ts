import { Counter, Histogram, type Registry } from 'prom-client';
import type { AnswerMetrics } from '../chat/answer-metrics.js';

export function createModelMetrics(registers: Registry[]): AnswerMetrics {
  const calls = new Histogram({
    name: 'model_call_duration_seconds',
    help: 'Duration of model calls, by outcome: finished, stopped, or failure code',
    labelNames: ['model', 'outcome'],
    buckets: [0.005, 0.05, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers,
  });
  const failures = new Counter({
    name: 'model_provider_failures_total',
    help: 'Failed calls to a provider, even if a retry or another provider succeeded',
    labelNames: ['provider', 'code'],
    registers,
  });
  return {
    modelCalled: ({ model, outcome, seconds }) => calls.observe({ model, outcome }, seconds),
    providerFailed: ({ provider, code }) => failures.inc({ provider, code }),
  };
}
