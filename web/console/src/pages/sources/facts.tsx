import { sourceTypeFacts } from '../../../../../core/knowledge/sources/source-types.js';
import { agentPath, ask } from '../../api/request.js';
import { surroundings } from '../../api/surroundings.js';
import type { Source } from '../../api/types.js';
import { labelOf } from '../../forms/words.js';
import { useLoaded } from '../../loading.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Fact } from '../../parts/fact.js';
import { When } from '../../parts/figures.js';
import { bytes } from '../../parts/numbers.js';
import { to } from '../../router.js';
import { problemOf } from './source-row.js';

/** Metadata that is shown elsewhere or is too long. */
const untold = new Set([
  'url',
  'bytes',
  'contentHash',
  'questions',
  'lastFailure',
  'etag',
  'lastModified',
  'recognisedPages',
]);

/** Facts about a source. Technical facts are collapsed. */
export function Facts({ agentId, source }: { agentId: string; source: Source }) {
  const { id, sourceType, createdAt, lastCrawledAt, sourceMetadata } = source;
  const problem = problemOf(source);
  const details = Object.entries(sourceMetadata).filter(
    ([name, value]) => !untold.has(name) && value !== null && typeof value !== 'object',
  );
  return (
    <>
      {problem && (
        <p class="notice bad">
          {problem}
          {'lastFailure' in sourceMetadata && sourceMetadata.lastFailure && (
            <>
              {' '}
              <code>{sourceMetadata.lastFailure.code}</code>
            </>
          )}
        </p>
      )}
      <div class="panel">
        <dl class="facts">
          <Fact name="Type">{sourceTypeFacts[sourceType].label}</Fact>
          <Fact name="Added">
            <When seconds={createdAt} />
          </Fact>
          {'url' in sourceMetadata && (
            <Fact name="Page">
              <a href={sourceMetadata.url} target="_blank" rel="noreferrer noopener">
                {sourceMetadata.url}
              </a>
            </Fact>
          )}
          {'recognisedPages' in sourceMetadata && sourceMetadata.recognisedPages && (
            <Fact name="Recognised">
              Pages {sourceMetadata.recognisedPages}: scanned, so letters and digits may be wrong.
            </Fact>
          )}
          {lastCrawledAt !== null && (
            <>
              <Fact name="Last read">
                <When seconds={lastCrawledAt} />
              </Fact>
              <Fact name="Read again">
                <NextReading agentId={agentId} lastRead={lastCrawledAt} />
              </Fact>
            </>
          )}
          <Fact name="Size">{bytes(sourceMetadata.bytes)}</Fact>
        </dl>
        <details>
          <summary>Technical details</summary>
          <dl class="facts">
            <Fact name="Id">
              <code>{id}</code> <CopyButton text={id} what="source id" />
            </Fact>
            {details.map(([name, value]) => (
              <Fact key={name} name={labelOf(name)}>
                {typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)}
              </Fact>
            ))}
          </dl>
        </details>
      </div>
    </>
  );
}

interface NextReadingProps {
  agentId: string;
  /** Time of the last reading, in Unix seconds. */
  lastRead: number;
}

/** Says when a page will next be read automatically. */
function NextReading({ agentId, lastRead }: NextReadingProps) {
  const path = agentPath(agentId, 'settings', 'training');
  const { data } = useLoaded(
    async (signal) => ({
      settings: await ask<{ autoRetrainEnabled?: boolean }>(path, { signal }),
      known: await surroundings(),
    }),
    [path],
  );
  if (!data) return <>…</>;
  const { settings, known } = data;
  return settings.autoRetrainEnabled ? (
    <>
      about <When seconds={Math.max(lastRead + known.retrainSeconds, Math.floor(Date.now() / 1000))} />
    </>
  ) : (
    <>
      only when you ask. <a href={to('agents', agentId, 'settings', 'knowledge')}>Change it</a>
    </>
  );
}
