import type { Evaluation } from '../../../api/types.js';

export const isOver = ({ endedAt }: Pick<Evaluation, 'endedAt'>): boolean => endedAt !== null;

export const nameOf = ({ name, origin }: Pick<Evaluation, 'name' | 'origin'>): string =>
  name ?? (origin === 'training' ? 'After a training' : 'Evaluation');
