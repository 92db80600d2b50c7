import type { ModelFailureCode } from '../ports/model.port.js';

export interface AnswerMetrics {
  /** `outcome`: finished, stopped, or the failure's code. */
  modelCalled(call: {
    model: string;
    outcome: ModelFailureCode | 'finished' | 'stopped';
    seconds: number;
  }): void;
  /** Called when a provider fails, even if a fallback answers instead. */
  providerFailed(failure: { provider: string; code: ModelFailureCode }): void;
}
