import type { Evaluation } from '../../../api/types.js';

export const statusLooks: Record<Evaluation['status'], string> = {
  pending: 'running',
  running: 'running',
  completed: 'ready',
  failed: 'failed',
  cancelled: '',
};

export const isOver = ({ endedAt }: Pick<Evaluation, 'endedAt'>): boolean => endedAt !== null;

export const nameOf = ({ name, origin }: Pick<Evaluation, 'name' | 'origin'>): string =>
  name ?? (origin === 'training' ? 'After a training' : 'Evaluation');
