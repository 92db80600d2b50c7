import { ask } from '../api/request.js';
import type { Workspace } from '../api/types.js';
import { labelOf } from '../forms/words.js';
import { useLoaded } from '../loading.js';
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
          <Fact name={`Since ${usage.startDay}`} value={several(totals.answers, 'answer')} />
          <Fact name="Credits" value={count(totals.credits)} />
          <Fact name="Tokens read" value={count(totals.inputTokens)} />
          <Fact name="Tokens written" value={count(totals.outputTokens)} />
          <Fact name="Stored conversations" value={bytes(conversationBytes)} />
        </dl>
      </section>
      <section class="panel">
        <h2>Plan</h2>
        <dl class="facts">
          <Fact name="Workspace" value={name} />
          <Fact name="Id" value={id} />
          <Fact name="Plan" value={plan} />
          {Object.entries(features).map(([feature, included]) => (
            <Fact key={feature} name={labelOf(feature)} value={included ? 'included' : 'not included'} />
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

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
