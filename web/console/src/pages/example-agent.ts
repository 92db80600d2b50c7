import answers from '../../../../docs/ask.md';
import console from '../../../../docs/console.md';
import evaluations from '../../../../docs/evaluate.md';
import handover from '../../../../docs/handover.md';
import models from '../../../../docs/models.md';
import people from '../../../../docs/people.md';
import plans from '../../../../docs/plans-and-keys.md';
import questions from '../../../../docs/questions-and-statistics.md';
import social from '../../../../docs/social.md';
import widget from '../../../../docs/widget.md';
import { agentPath, ask } from '../api/request.js';
import type { Agent } from '../api/types.js';

const texts = [console, answers, widget, handover, questions, evaluations, models, people, plans, social];

/** Joins the lines of paragraphs, which the console would show as written. Code stays as it is. */
const withoutLineBreaks = (text: string): string =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/(?<=[^\n]) *\n *(?=[\p{L}(“"[]|`(?!``))/gu, ' '),
    )
    .join('');

/** Creates an agent that knows the documentation of this service. Throws Failure. */
export async function createExample(): Promise<Agent> {
  const agent = await ask<Agent>('/agents', { method: 'POST', body: { name: 'Example' } });
  const design = { prompts: ['How do I put an agent on a web page?', 'What may a viewer do?'] };
  await ask(agentPath(agent.id, 'settings', 'design'), { method: 'PATCH', body: design });
  for (const text of texts) {
    const [, title = '', content = ''] = /^# (.*)\n([\s\S]*)$/.exec(text) ?? [];
    await ask(agentPath(agent.id, 'sources', 'text'), {
      method: 'POST',
      body: { title, content: withoutLineBreaks(content) },
    });
  }
  return agent;
}
