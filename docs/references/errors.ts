import { catalogue } from '../../core/errors/catalogue.js';
import { failureKinds } from '../../core/tasks/failures.js';
import { code, table } from './table.js';

const introduction = `# Errors

Every refusal is \`{"error": {"code", "message", "details"?}}\` with the header \`x-request-id\`. Write code against \`code\`; messages may
change. \`details.fieldErrors\` maps each field to what is wrong with it. An overloaded service answers 503 with \`Retry-After\` and the code
\`INTERNAL_SERVER_ERROR\`: nothing was changed, and the request can be repeated.`;

const failures = `## Failures of tasks

\`lastError\` (\`GET …/jobs/{jobId}\`) says why a task failed. "Tried again" means up to \`jobs.maxAttempts\` attempts with growing
pauses; other failures end the task at once.`;

/** Returns the text of docs/errors.md. */
export function errorsReference(): string {
  const codes = Object.entries(catalogue).map(([name, { status, message }]) => [
    code(name),
    status === null ? 'reserved' : String(status),
    message,
  ]);
  const kinds = Object.entries(failureKinds).map(([name, { verdict, sentence }]) => [
    code(name),
    verdict === 'retry' ? 'yes' : 'no',
    sentence,
  ]);
  return [
    introduction,
    table(['code', 'status', 'message'], codes),
    failures,
    table(['code', 'tried again', 'message'], kinds),
  ].join('\n\n');
}
