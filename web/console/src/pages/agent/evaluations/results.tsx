import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isExpression, matcherOf } from '../../../../../../core/evaluations/judge.js';
import type { VerdictChange } from '../../../../../../core/schemas/evaluations.js';
import type { EvaluationDetail, EvaluationResult } from '../../../api/types.js';
import { useList } from '../../../loading.js';
import { Filter, Total } from '../../../parts/filter.js';
import { Empty } from '../../../parts/notice.js';
import { several } from '../../../parts/numbers.js';
import { Rows } from '../../../parts/rows.js';
import { AnswerText } from '../../ask/answer-text.js';
import { VerdictLabel, verdictNames } from './verdicts.js';

const changeNames: Record<VerdictChange, string> = {
  worse: 'Worse',
  better: 'Better',
  same: 'Same verdict',
  new: 'New',
};
const changes = Object.keys(changeNames) as VerdictChange[];

interface ResultsProps {
  path: string;
  /** Id of the evaluation to compare with; empty for none. */
  compareTo: string;
  comparison: NonNullable<EvaluationDetail['comparison']> | null;
  /** Increases when there are new results. */
  round: number;
}

const PAGE = 100;

/** The answers of an evaluation with their verdicts, beside those of another evaluation. */
export function Results({ path, compareTo, comparison, round }: ResultsProps) {
  const [verdict, setVerdict] = useState('');
  const [change, setChange] = useState('');
  const list = useList<EvaluationResult>(path, {
    limit: String(PAGE),
    verdict,
    compareTo,
    change,
  });
  const { items, reload } = list;
  useEffect(() => {
    // Reload only the first page, because reloading would close further pages.
    if (items && items.length <= PAGE) reload();
  }, [round]);
  return (
    <section>
      {comparison && comparison.worse > 0 && (
        <p class="notice bad">
          <strong>{several(comparison.worse, 'answer')} got worse.</strong>{' '}
          {change !== 'worse' && (
            <button type="button" onClick={() => setChange('worse')}>
              Show them
            </button>
          )}
        </p>
      )}
      <div class="find">
        <h2>Answers</h2>
        <Filter
          label="Verdict"
          any="Any verdict"
          choices={Object.entries(verdictNames)}
          value={verdict}
          onChange={setVerdict}
        />
        {comparison && (
          <Filter
            label="Change"
            any="Any change"
            choices={changes.map((name) => [name, `${changeNames[name]} (${comparison[name]})`])}
            value={change}
            onChange={setChange}
          />
        )}
        <Total list={list} what="question" />
      </div>
      <Rows list={list} empty={<Empty title="No answer matches." />}>
        {(result) => <Row key={result.position} {...result} />}
      </Rows>
    </section>
  );
}

function Row({ question, verdict, answer, titles, error, previous, change }: EvaluationResult) {
  const { unanswerable = false, before = [] } = question;
  const isChanged = change === 'better' || change === 'worse';
  return (
    <li>
      <div>
        <strong>{question.question}</strong>
        {before.length > 0 && <p class="muted small">after “{before.join('”, “')}”</p>}
        {isChanged && previous && (
          <p class={change === 'worse' ? 'task-problem small' : 'good small'}>
            {changeNames[change]}; before: {verdictNames[previous].toLowerCase()}
          </p>
        )}
        {error && (
          <p class="task-problem small">
            {error.message} <code>{error.code}</code>
          </p>
        )}
        {answer !== null && (
          <details class="small" open={verdict === 'partly' || verdict === 'wrong'}>
            <summary>Answer and expectation</summary>
            <blockquote>
              <AnswerText text={answer} />
            </blockquote>
            <Expectation question={question} text={answer} titles={titles ?? []} />
          </details>
        )}
      </div>
      <VerdictLabel verdict={verdict} unanswerable={unanswerable} />
    </li>
  );
}

interface ExpectationProps {
  question: EvaluationResult['question'];
  text: string;
  /** Titles of the cited sources. */
  titles: readonly string[];
}

/** The conditions for the answer, and which of them it meets. */
function Expectation({ question, text, titles }: ExpectationProps) {
  const { answer = [], source = [], mustNot = [], sourceMode = 'all', unanswerable = false } = question;
  const named = (texts: readonly string[], between: string) => texts.map((text) => `“${text}”`).join(between);
  const occurs = matcherOf(text);
  /** Null if only a regular expression could decide it: here, nothing could stop a slow one. */
  const has = (patterns: readonly string[]): boolean | null =>
    patterns.some((pattern) => !isExpression(pattern) && occurs(pattern)) ||
    (patterns.some(isExpression) ? null : false);
  const cites = (title: string): boolean => titles.includes(title);
  const isCited = sourceMode === 'any' ? source.some(cites) : source.every(cites);
  const misleads = has(mustNot);
  return (
    <ul class="plain conditions">
      {unanswerable && (
        <Condition isMet={titles.length === 0}>No source answers it, so it should not be answered.</Condition>
      )}
      {answer.map((group) => (
        <Condition key={group.join()} isMet={has(group)}>
          Must contain {named(group, ' or ')}.
        </Condition>
      ))}
      {mustNot.length > 0 && (
        <Condition isMet={misleads === null ? null : !misleads}>
          Must not contain {named(mustNot, ' or ')}.
        </Condition>
      )}
      {source.length > 0 && (
        <Condition isMet={isCited}>
          Must cite {named(source, sourceMode === 'any' ? ' or ' : ' and ')}.
        </Condition>
      )}
      <li>{titles.length > 0 ? `It cites ${named(titles, ' and ')}.` : 'It cites no source.'}</li>
    </ul>
  );
}

const Condition = ({ isMet, children }: { isMet: boolean | null; children: ComponentChildren }) => (
  <li class={isMet === null ? '' : isMet ? 'met' : 'unmet'}>
    {isMet !== null && <span class="unseen">{isMet ? 'Met: ' : 'Not met: '}</span>}
    {children}
  </li>
);
