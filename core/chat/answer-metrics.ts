import type { ModelFailureCode } from '../ports/model.port.js';

/** What is measured while an answer is made. */
export interface AnswerMetrics {
  /** `outcome`: finished, stopped, or the code of the failure. */
  modelCalled(call: {
    model: string;
    outcome: ModelFailureCode | 'finished' | 'stopped';
    seconds: number;
  }): void;
  /** A provider did not answer, whether somebody else did then or not. */
  providerFailed(failure: { provider: string; code: ModelFailureCode }): void;
}
