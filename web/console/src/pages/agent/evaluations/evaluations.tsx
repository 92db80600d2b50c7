import { Tabs } from '../../../parts/tabs.js';
import { Kept } from './kept.js';
import { RunPage } from './run.js';
import { Runs } from './runs.js';

export const evaluationParts = [
  { place: 'runs', name: 'Runs' },
  { place: 'questions', name: 'Kept questions' },
] as const;

interface EvaluationsProps {
  agentId: string;
  /** Name of a part or id of an evaluation; null for the first part. */
  place: string | null;
}

/** Questions with known answers, and evaluations of the agent's answers. */
export function Evaluations({ agentId, place }: EvaluationsProps) {
  if (place !== null && !evaluationParts.some((part) => part.place === place))
    return <RunPage key={place} agentId={agentId} runId={place} />;
  const current = place ?? 'runs';
  return (
    <div class="with-side">
      <Tabs
        name="Evaluations"
        class="side"
        tabs={evaluationParts}
        current={current}
        base={['agents', agentId, 'evaluations']}
      />
      <div>{current === 'questions' ? <Kept agentId={agentId} /> : <Runs agentId={agentId} />}</div>
    </div>
  );
}
