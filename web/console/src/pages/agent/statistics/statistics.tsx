import { useState } from 'preact/hooks';
import { limits } from '../../../../../../core/schemas/limits.js';
import { agentPath, ask, page } from '../../../api/request.js';
import type { Statistics } from '../../../api/types.js';
import { useLoaded } from '../../../loading.js';
import { Empty, Loading, Problem } from '../../../parts/notice.js';
import { count, several } from '../../../parts/numbers.js';
import { saveFile } from '../../../parts/save-file.js';
import { Select } from '../../../parts/select.js';
import { to } from '../../../router.js';
import { dayBefore } from '../../day-before.js';
import { channelNames } from '../conversations/names.js';
import { Bars } from './bars.js';

const periods = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last year'],
] as const;

/** Days for which the service keeps figures. */
const KEPT_DAYS = limits.statistics.days;

/** The questions that the agent was asked, and the outcomes of its answers. */
export function StatisticsPage({ agentId }: { agentId: string }) {
  const [days, setDays] = useState(30);
  const path = agentPath(agentId, 'statistics');
  const { data, failure, reload } = useLoaded(
    async (signal) => {
      const of = (from: string, to?: string) => ask<Statistics>(path, { query: { from, to }, signal });
      const [now, before] = await Promise.all([
        of(dayBefore(days - 1)),
        2 * days <= KEPT_DAYS ? of(dayBefore(2 * days - 1), dayBefore(days)) : null,
      ]);
      return { now, before, channels: await channelsSince(agentId, now.days[0]?.day ?? '', signal) };
    },
    [path, days],
  );
  return (
    <section>
      <div class="find">
        <Select
          aria-label="Period"
          value={String(days)}
          choices={periods}
          onChange={(period) => setDays(Number(period))}
        />
        {data && (
          <button type="button" class="at-end" onClick={() => saveAsCsv(data.now.days)}>
            Download as CSV
          </button>
        )}
      </div>
      <Problem failure={failure} retry={reload} />
      {!data && !failure && <Loading />}
      {data && <Shown agentId={agentId} {...data.now} before={data.before} channels={data.channels} />}
    </section>
  );
}

interface Channel {
  name: string;
  conversations: number;
}

/** Returns the stored conversations of each channel that began on a day or later, the most frequent channel first. */
async function channelsSince(agentId: string, day: string, signal: AbortSignal): Promise<Channel[]> {
  const startDate = Date.parse(day) / 1000;
  const channels = await Promise.all(
    Object.entries(channelNames).map(async ([source, name]) => {
      const query = { source, startDate, limit: 1 };
      const { pagination } = await page(agentPath(agentId, 'conversations'), query, signal);
      return { name, conversations: pagination.total };
    }),
  );
  return channels.sort((one, other) => other.conversations - one.conversations);
}

type Counter = Exclude<keyof Statistics['days'][number], 'day'>;

interface ShownProps extends Statistics {
  agentId: string;
  /** The period before; null if its figures are no longer kept. */
  before: Statistics | null;
  channels: Channel[];
}

const sumOf = (days: Statistics['days'], counter: Counter): number =>
  days.reduce((total, day) => total + day[counter], 0);

function Shown({ agentId, days, topSources, medianAnswerMs, before, channels }: ShownProps) {
  const sum = (counter: Counter): number => sumOf(days, counter);
  const questions = sum('questions');
  const asked = before ? sumOf(before.days, 'questions') : 0;
  /** The change since the period before, of a part of all questions in percent points. */
  const change = (counter: Counter): string =>
    before === null || asked === 0
      ? ''
      : `, ${signed(Math.round((100 * sum(counter)) / questions - (100 * sumOf(before.days, counter)) / asked))} points`;
  if (questions === 0)
    return (
      <Empty title="No questions in this period.">
        <p>
          <a href={to('agents', agentId, 'ask')}>Ask the agent</a> yourself, or{' '}
          <a href={to('agents', agentId, 'widget')}>put it on a web page</a>.
        </p>
      </Empty>
    );
  const share = (part: number): string => `${Math.round((100 * part) / questions)} %`;
  const rated = sum('positive') + sum('negative');
  return (
    <>
      {asked > 0 && <p class="muted small">Changes are since the period of the same length before.</p>}
      <dl class="tiles">
        <Tile
          name="Questions"
          value={count(questions)}
          note={`${several(sum('conversations'), 'conversation')}${asked > 0 ? `, ${signed(Math.round((100 * (questions - asked)) / asked))} %` : ''}`}
        />
        <Tile
          name="Answered from sources"
          value={share(sum('answered'))}
          note={`${count(sum('unanswered'))} not answered${change('answered')}`}
        />
        <Tile
          name="Negative feedback"
          value={share(sum('negative'))}
          note={`${count(rated)} of the answers were rated${change('negative')}`}
        />
        <Tile name="Time to answer" value={durationOf(medianAnswerMs)} note="median" />
      </dl>
      <section class="panel" aria-labelledby="statistics-days">
        <h2 id="statistics-days">Questions a day</h2>
        <Bars days={days} />
      </section>
      <section class="panel" aria-labelledby="statistics-sources">
        <h2 id="statistics-sources">Most used sources</h2>
        {topSources.length === 0 && <p class="muted">No answer cited a source in this period.</p>}
        <Ranking
          unit="citation"
          rows={topSources.map(({ documentId, title, citations }) => ({
            name: title,
            value: citations,
            href: to('agents', agentId, 'sources', documentId),
          }))}
        />
      </section>
      <section class="panel" aria-labelledby="statistics-channels">
        <h2 id="statistics-channels">Channels</h2>
        <Ranking
          unit="conversation"
          rows={channels.map(({ name, conversations }) => ({ name, value: conversations }))}
        />
      </section>
    </>
  );
}

interface RankingProps {
  unit: string;
  /** The largest value first. */
  rows: readonly { name: string; value: number; href?: string }[];
}

const Ranking = ({ unit, rows }: RankingProps) => (
  <ol class="ranking">
    {rows.map(({ name, value, href }) => (
      <li key={href ?? name}>
        {href ? <a href={href}>{name}</a> : name}
        <meter aria-label={name} value={value} max={Math.max(1, rows[0]?.value ?? 0)} />
        <span class="muted">{several(value, unit)}</span>
      </li>
    ))}
  </ol>
);

const signed = (change: number): string => (change > 0 ? `+${count(change)}` : count(change));

/** Saves the figures of each day. */
function saveAsCsv(days: Statistics['days']): void {
  const columns = Object.keys(days[0] ?? {}) as (keyof Statistics['days'][number])[];
  const rows = [columns, ...days.map((day) => columns.map((column) => day[column]))];
  const text = rows.map((row) => `${row.join(',')}\r\n`).join('');
  saveFile('statistics.csv', new Blob([text], { type: 'text/csv' }));
}

function durationOf(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1000 ? `${count(Math.round(ms))} ms` : `${count(Math.round(ms / 100) / 10)} s`;
}

const Tile = ({ name, value, note }: { name: string; value: string; note: string }) => (
  <div class="panel tile">
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong> <span class="muted small">{note}</span>
    </dd>
  </div>
);
