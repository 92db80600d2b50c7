import { ask } from '../api/request.js';
import type { Workspace } from '../api/types.js';
import { labelOf } from '../forms/words.js';
import { useLoaded } from '../loading.js';
import { Fact } from '../parts/fact.js';
import { Quota, When } from '../parts/figures.js';
import { Heading } from '../parts/heading.js';
import { Loading, Problem } from '../parts/notice.js';
import { bytes, count, several } from '../parts/numbers.js';
import { to } from '../router.js';
import { MailTest } from './mail-test.js';
import { RequireTwoFactor } from './require-two-factor.js';

/** The workspace's plan and usage. */
export function WorkspacePage() {
  const { data, failure, reload, show } = useLoaded((signal) => ask<Workspace>('/workspace', { signal }), []);
  return (
    <>
      <Heading title="Usage" />
      <Problem failure={failure} retry={reload} />
      {!data && !failure && <Loading />}
      {data && <Shown {...data} />}
      {data && (
        <section class="panel">
          <h2>Sign-in</h2>
          <RequireTwoFactor workspace={data} onChanged={show} />
        </section>
      )}
      {data && (
        <section class="panel">
          <h2>E-mail</h2>
          <MailTest mail={data.mail} />
        </section>
      )}
    </>
  );
}

function Shown({ name, id, plan, createdAt, features, allowances, conversationBytes, usage }: Workspace) {
  const { agents, storageBytes, visitorMessages, visitorStorageBytes } = allowances;
  const { totals } = usage;
  return (
    <>
      <section class="panel">
        <h2>Allowances</h2>
        <Quota label="Agents" value={agents.used} max={agents.limit}>
          {count(agents.used)} of {count(agents.limit)}
        </Quota>
        <Quota label="Storage" value={storageBytes.used} max={storageBytes.limit}>
          {bytes(storageBytes.used)} of {bytes(storageBytes.limit)}
        </Quota>
        <Quota
          label="Messages of visitors today (UTC)"
          value={visitorMessages.used}
          max={visitorMessages.limit}
        >
          {count(visitorMessages.used)} of {count(visitorMessages.limit)}
        </Quota>
        <Quota
          label="Conversations of visitors, and evaluations"
          value={visitorStorageBytes.used}
          max={visitorStorageBytes.limit}
        >
          {visitorStorageBytes.limit === Number.MAX_SAFE_INTEGER
            ? bytes(visitorStorageBytes.used)
            : `${bytes(visitorStorageBytes.used)} of ${bytes(visitorStorageBytes.limit)}`}
        </Quota>
        <p class="muted small">
          Storage counts the bytes of texts, of the text of pages, and of uploaded files.
        </p>
      </section>
      <section class="panel">
        <h2>Answers</h2>
        <dl class="facts">
          <Fact name={`Since ${usage.startDay}`}>{several(totals.answers, 'answer')}</Fact>
          <Fact name="Credits">{count(totals.credits)}</Fact>
          <Fact name="Tokens read">{count(totals.inputTokens)}</Fact>
          <Fact name="Tokens written">{count(totals.outputTokens)}</Fact>
          <Fact name="Stored conversations">{bytes(conversationBytes)}</Fact>
        </dl>
      </section>
      <section class="panel">
        <h2>Plan</h2>
        <dl class="facts">
          <Fact name="Workspace">{name}</Fact>
          <Fact name="Id">{id}</Fact>
          <Fact name="Plan">{plan}</Fact>
          {Object.entries(features).map(([feature, included]) => (
            <Fact key={feature} name={labelOf(feature)}>
              {included ? 'included' : 'not included'}
            </Fact>
          ))}
        </dl>
        <p class="muted small">
          Made <When seconds={createdAt} />.
        </p>
        <p>
          <a href={to('models')}>Models</a> shows which ones can be used.
        </p>
      </section>
    </>
  );
}
