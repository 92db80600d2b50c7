import type { Statistics } from '../../../api/types.js';
import { outcomeLabels } from '../../../parts/outcome.js';

type Day = Statistics['days'][number];

/** Height in units of the drawing, which scales to the available width. */
const HEIGHT = 160;
const WIDTH = 800;
const GAP = 0.2;

const outcomes = ['answered', 'suggested', 'unanswered'] as const;
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const dateOf = (day: string): string => dates.format(new Date(day));

/** A bar for each day, divided by outcome, with a table of the same figures. */
export function Bars({ days }: { days: readonly Day[] }) {
  const max = Math.max(1, ...days.map(totalOf));
  const step = WIDTH / days.length;
  return (
    <>
      <ul class="legend" aria-hidden="true">
        {outcomes.map((outcome) => (
          <li key={outcome} class={`of-${outcome}`}>
            {outcomeLabels[outcome]}
          </li>
        ))}
        <li class="muted">highest: {max}</li>
      </ul>
      <svg
        class="bars"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Questions a day from ${dateOf(days[0]?.day ?? '')}, at most ${max}. The table below has the figures.`}
      >
        {days.map((day, index) => (
          <g key={day.day}>
            <title>{sentenceOf(day)}</title>
            <rect class="of-day" x={index * step} y={0} width={step} height={HEIGHT} />
            {stacked(day).map(({ outcome, before, value }) => (
              <rect
                key={outcome}
                class={`of-${outcome}`}
                x={index * step + (step * GAP) / 2}
                y={HEIGHT - (HEIGHT * (before + value)) / max}
                width={step * (1 - GAP)}
                height={(HEIGHT * value) / max}
              />
            ))}
          </g>
        ))}
      </svg>
      <p class="axis muted small" aria-hidden="true">
        <span>{dateOf(days[0]?.day ?? '')}</span>
        <span>{dateOf(days.at(-1)?.day ?? '')}</span>
      </p>
      <details>
        <summary>Figures of each day</summary>
        <FigureTable days={days} />
      </details>
    </>
  );
}

const totalOf = (day: Day): number => outcomes.reduce((sum, outcome) => sum + day[outcome], 0);

const stacked = (day: Day) =>
  outcomes.map((outcome, at) => ({
    outcome,
    value: day[outcome],
    before: outcomes.slice(0, at).reduce((sum, below) => sum + day[below], 0),
  }));

const sentenceOf = (day: Day): string =>
  `${dateOf(day.day)}: ${outcomes.map((outcome) => `${outcomeLabels[outcome]} ${day[outcome]}`).join(', ')}`;

const FigureTable = ({ days }: { days: readonly Day[] }) => (
  <table class="figures">
    <thead>
      <tr>
        {['Day', 'Questions', ...outcomes.map((outcome) => outcomeLabels[outcome]), 'Visitors'].map(
          (title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ),
        )}
      </tr>
    </thead>
    <tbody>
      {days
        .filter(({ questions }) => questions > 0)
        .map((day) => (
          <tr key={day.day}>
            <th scope="row">{dateOf(day.day)}</th>
            <td>{day.questions}</td>
            {outcomes.map((outcome) => (
              <td key={outcome}>{day[outcome]}</td>
            ))}
            <td>{day.visitors}</td>
          </tr>
        ))}
    </tbody>
  </table>
);
