import type { Task } from '../api/types.js';
import { Status } from './outcome.js';

/** Tasks with their results. Failures come with advice. */
export const Tasks = ({ tasks }: { tasks: Task[] }) => (
  <ul class="tasks">
    {tasks.map(({ id, target, status, attempts, progress, lastError }) => (
      <li key={id}>
        <div class="task-line">
          <span class="task-target">{target}</span>
          <Status status={status} />
        </div>
        {progress && (
          <p class="muted small">
            Text of scanned pages: {progress.done} of {progress.of} recognised
          </p>
        )}
        {lastError && status !== 'completed' && (
          <p class="task-problem">
            {lastError.message} <code>{lastError.code}</code>
            {attempts > 1 && <span class="muted"> after {attempts} attempts</span>}
          </p>
        )}
      </li>
    ))}
  </ul>
);
