export type CreditTotals = Pick<CreditCount, 'answers' | 'credits' | 'inputTokens' | 'outputTokens'>;

export interface CreditCount {
  agentId: string;
  model: string;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  answers: number;
  credits: number;
  inputTokens: number;
  outputTokens: number;
}
