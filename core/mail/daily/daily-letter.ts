import { isMailOn } from '../../agent-settings/notification.js';
import type { Clock } from '../../ports/clock.port.js';
import type { Letter } from '../../ports/mail.port.js';
import type { DailyMails, MailedAgent, MailedMember, Span } from '../../ports/store/daily-mails.js';
import type { AnswerOutcome } from '../../schemas/answer-outcomes.js';
import { type Item, letterOf, type Part, quoted } from '../letter.js';
import type { DailyClaim } from '../outbox.js';
import { MAIL_STOP, type StopLinks } from '../stop-links.js';
import { dayBefore, localTime, spanOf } from './local-day.js';

interface DailyLetterOptions {
  dailyMails: Omit<DailyMails, 'members'>;
  stopLinks: Pick<StopLinks, 'tokenOf'>;
  publicUrl: string | null;
  clock: Clock;
}

/** What a letter is about: a day of some agents. */
interface DayOfAgents {
  member: MailedMember;
  agents: readonly MailedAgent[];
  agentIds: string[];
  /** The day, as `26 November 2026`. */
  date: string;
  span: Span;
}

const MOST_CONVERSATIONS = 100;
const MOST_QUESTIONS = 5;
/** Longer questions are not put into links: some mail programs cut them. */
const LONGEST_IN_LINK = 300;

const outcomeWords: Record<AnswerOutcome, string> = {
  answered: 'answered',
  suggested: 'related sources named',
  unanswered: 'not answered',
};

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Writes the daily e-mails, over all agents that the member may see and whose settings ask for it. */
export function createDailyLetter({ dailyMails, stopLinks, publicUrl, clock }: DailyLetterOptions) {
  const link = (...parts: string[]): { url: string } | object =>
    publicUrl === null ? {} : { url: `${publicUrl}/console#/${parts.map(encodeURIComponent).join('/')}` };

  async function conversationParts({ member, agents, agentIds, span }: DayOfAgents): Promise<Part[]> {
    const { rows, total } = await dailyMails.conversations(agentIds, span, MOST_CONVERSATIONS);
    const parts = agents.flatMap(({ id: agentId, name }): Part[] => {
      const list = rows
        .filter((row) => row.agentId === agentId)
        .map(({ id, createdAt, question, outcome, rating }): Item => {
          const { hour, minute } = localTime(createdAt * 1000, member.timeZone);
          const facts = [
            `${twoDigits(hour)}:${twoDigits(minute)}`,
            quoted(question) || '(no question)',
            ...(outcome ? [outcomeWords[outcome]] : []),
            ...(rating ? [`rated ${rating}`] : []),
          ];
          return { text: facts.join(' · '), ...link('agents', agentId, 'conversations', id) };
        });
      return list.length === 0 ? [] : [{ heading: quoted(name) }, { list }];
    });
    const more = total - rows.length;
    return more > 0 ? [...parts, { text: `And ${several(more, 'more conversation')}.` }] : parts;
  }

  async function summaryParts({ agents, agentIds, span }: DayOfAgents): Promise<Part[]> {
    const figures = await dailyMails.figures(agentIds, span);
    const asked = figures.map(({ outcomes }) => outcomes).reduce(sum, sum());
    const questions = asked.answered + asked.suggested + asked.unanswered;
    if (questions === 0) return [];
    const nameOf = (agentId: string) => quoted(agents.find(({ id }) => id === agentId)?.name ?? '');
    const open = await dailyMails.openQuestions(agentIds, span, MOST_QUESTIONS);
    const negative = figures.reduce((n, figure) => n + figure.negative, 0);
    const contacts = figures.reduce((n, figure) => n + figure.contacts, 0);
    const failed = figures.filter(({ failedSources }) => failedSources > 0);
    const parts: Part[] = [
      {
        list: [
          several(questions, 'question'),
          `${Math.round((asked.answered / questions) * 100)} % answered from the sources`,
          several(negative, 'negative rating'),
          several(contacts, 'new contact'),
        ].map((text) => ({ text })),
      },
    ];
    if (open.length > 0)
      parts.push(
        { heading: 'Asked most often without an answer' },
        {
          list: open.map(({ agentId, question, count }) => ({
            text: `${quoted(question)} (${nameOf(agentId)}, ${count === 1 ? 'once' : `${count} times`})`,
            ...link('agents', agentId, 'questions', ...(question.length > LONGEST_IN_LINK ? [] : [question])),
          })),
        },
      );
    if (failed.length > 0)
      parts.push(
        { heading: 'Sources that could not be read' },
        {
          list: failed.map(({ agentId, failedSources }) => ({
            text: `${nameOf(agentId)}: ${several(failedSources, 'source')}`,
            ...link('agents', agentId, 'jobs'),
          })),
        },
      );
    return parts;
  }

  /**
   * Returns the e-mail; null if its day is over, if the member must not or does not want to get it, or if there is nothing to
   * report.
   */
  return async ({ memberId, kind, day }: DailyClaim): Promise<Omit<Letter, 'id'> | null> => {
    const member = await dailyMails.member(memberId);
    if (!member?.notifications[kind] || localTime(clock.now(), member.timeZone).day > day) return null;
    const { agentIds: only } = member;
    const agents = (await dailyMails.agents(member.workspaceId)).filter(
      ({ id, settings }) => (only === null || only.includes(id)) && isMailOn(settings, kind),
    );
    if (agents.length === 0) return null;
    const reported = dayBefore(day);
    const about: DayOfAgents = {
      member,
      agents,
      agentIds: agents.map(({ id }) => id),
      date: longDate.format(Date.parse(reported)),
      span: spanOf(reported, member.timeZone),
    };
    const isList = kind === 'dailyConversations';
    const parts = await (isList ? conversationParts(about) : summaryParts(about));
    if (parts.length === 0) return null;
    const title = `${isList ? 'Conversations' : 'Summary'} of ${about.date}`;
    const stopUrl =
      publicUrl === null
        ? null
        : `${publicUrl}${MAIL_STOP}${stopLinks.tokenOf({ workspaceId: member.workspaceId, memberId, kind })}`;
    return {
      ...(stopUrl === null ? {} : { stopUrl }),
      to: { name: member.name, address: member.email },
      ...letterOf({
        subject: `${title} in ${member.workspaceName}`,
        parts: [
          { text: `${title} in the workspace ${quoted(member.workspaceName)}.` },
          ...parts,
          ...(stopUrl === null ? [] : [{ link: 'Stop these e-mails', url: stopUrl }]),
        ],
      }),
    };
  };
}

type Outcomes = Record<AnswerOutcome, number>;

const sum = (
  a: Outcomes = { answered: 0, suggested: 0, unanswered: 0 },
  b: Outcomes = { answered: 0, suggested: 0, unanswered: 0 },
): Outcomes => ({
  answered: a.answered + b.answered,
  suggested: a.suggested + b.suggested,
  unanswered: a.unanswered + b.unanswered,
});

const twoDigits = (n: number): string => String(n).padStart(2, '0');

const several = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
