import { randomBytes } from 'node:crypto';
import { handoverSettings } from '../agent-settings/handover-settings.js';
import type { Found } from '../knowledge/text/passages.js';
import type { Model, ModelDescription, ModelRequest } from '../ports/model.port.js';
import type { AgentState } from '../ports/store/rows.js';
import type { ToolSchemas } from '../ports/tool-schemas.port.js';
import type { FindPassages } from '../retrieval/find-passages.js';
import type { AnswerMetrics } from './answer-metrics.js';
import { answerModel } from './answer-model.js';
import {
  type Answerer,
  AnswerFailure,
  type AnsweringAgent,
  type AnswerRequest,
  type HistoryEntry,
} from './answerer.js';
import { askModel } from './ask-model.js';
import { knownUrls } from './guard/known-urls.js';
import { type AnswerSettings, answerSettings } from './instructions.js';
import { nothingFound } from './nothing-found.js';
import { createPrompt } from './prompt.js';
import { personAskedIn, smallTalkOf } from './small-talk.js';
import { visitorLanguage } from './visitor-language.js';
import { createWriter } from './writer.js';

export interface AnswererParts {
  model: Model;
  findPassages: FindPassages;
  toolSchemas: Pick<ToolSchemas, 'argumentProblems'>;
  settings: {
    /** Used if the agent has no model, or if its plan does not include the model. */
    defaultModel: string;
    /** Token budget of the conversation's history. */
    historyTokens: number;
    /** Share of a provider's permits that visitors and background work may hold. */
    visitorShare: number;
  };
  metrics: AnswerMetrics;
}

const FALLBACK_LANGUAGE = 'en';
/** Upper bound, well above real texts. Limits answers of providers that ignore a token limit. */
const CHARACTERS_PER_TOKEN = 12;
const TOKEN_BYTES = 12;

/** Drops sources without a URL, for an answer that suggests sources. */
function suggestible(found: Found): Found {
  if (found.support !== 'near') return found;
  const passages = found.passages.filter(({ url }) => url !== null);
  return passages.length === 0 ? nothingFound : { ...found, passages };
}

const saidByUser = (history: readonly HistoryEntry[]): string[] =>
  history.filter(({ role }) => role === 'user').map(({ text }) => text);

/** Creates the stateless answer pipeline: settings, passages, prompt, model, guard. */
export function createAnswerer(parts: AnswererParts): Answerer {
  const { model, metrics } = parts;

  const nameOf = ({ model: wanted }: AnswerSettings, { models }: AnsweringAgent): string =>
    answerModel(wanted, { models, defaultModel: parts.settings.defaultModel });

  const shareOf = ({ isVisitor, isBackground }: AnsweringAgent): number | undefined =>
    isVisitor || isBackground ? parts.settings.visitorShare : undefined;

  /** Searches for the user's last messages, except for small talk. */
  async function find(
    agent: AgentState,
    { history, together = 1 }: Pick<AnswerRequest, 'history' | 'together'>,
    language: string,
  ): Promise<Pick<ModelRequest, 'question' | 'found' | 'smallTalk'>> {
    const isQuestion = (text: string): boolean => smallTalkOf(text, language) === null;
    const asked = saidByUser(history);
    const newest = asked.splice(-together);
    const question = newest.filter(isQuestion).join('\n') || (newest.at(-1) ?? '');
    const smallTalk = smallTalkOf(question, language);
    if (smallTalk !== null) return { question, found: nothingFound, smallTalk };
    const previous = asked.findLast((text) => isQuestion(text) && personAskedIn(text, language) === null);
    return { question, found: await parts.findPassages(agent, question, previous), smallTalk };
  }

  /** Returns a function that builds the messages within `maxTokens`. An extractive model gets only the passages. */
  function prompter(
    request: AnswerRequest,
    settings: AnswerSettings,
    found: Found,
    description: ModelDescription,
  ) {
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    // Without related passages, the prompt says that nothing was found.
    const passages = found.support === 'none' ? [] : found.passages;
    return (maxTokens: number) =>
      description.extractive
        ? { messages: [], passages, tokens: 0 }
        : createPrompt({
            instruction: settings.instruction,
            language: settings.language ?? FALLBACK_LANGUAGE,
            history: request.history,
            passages,
            tools: request.tools,
            token,
            historyTokens: parts.settings.historyTokens,
            replyCharacters: request.replyCharacters,
            maxTokens,
          });
  }

  return {
    admit(asked) {
      const name = nameOf(answerSettings(asked.settings), asked);
      const place = model.admit(name, shareOf(asked));
      return {
        release: () => place.release(),
        isExtractive: model.describe(name)?.extractive ?? false,
      };
    },
    async *answer(request, signal) {
      const { agent } = request;
      const settings = answerSettings(request.settings);
      const name = nameOf(settings, request);
      const description = model.describe(name);
      if (description === null)
        throw new AnswerFailure('MODEL_REFUSED', {
          model: name,
          cause: new Error(`no provider is configured for ${name}`),
        });
      signal.throwIfAborted();
      const { question, smallTalk, ...searched } = await find(
        agent,
        request,
        settings.language ?? FALLBACK_LANGUAGE,
      );
      const language =
        settings.language ??
        (smallTalk === null
          ? visitorLanguage(question, searched.found.passages, request.requestLanguage)
          : FALLBACK_LANGUAGE);
      const found =
        request.isVisitor && description.extractive ? suggestible(searched.found) : searched.found;
      signal.throwIfAborted();
      const share = shareOf(request);
      const writer = createWriter({
        isKnownUrl: knownUrls(
          [
            ...found.passages.map(({ text }) => text),
            ...saidByUser(request.history),
            settings.instruction ?? '',
            ...settings.initialMessages,
            settings.unansweredMessage ?? '',
          ],
          found.passages.flatMap(({ url }) => url ?? []),
        ),
        mayCite: ({ url }) => !request.isVisitor || url !== null,
        maxCharacters: description.maxOutputTokens * CHARACTERS_PER_TOKEN,
      });
      yield* askModel({
        model,
        name,
        description,
        prompt: prompter(request, settings, found, description),
        request: {
          model: name,
          tools: description.tools ? request.tools : [],
          maxOutputTokens: description.maxOutputTokens,
          question,
          found,
          smallTalk,
          language,
          ...(settings.unansweredMessage === null ? {} : { unansweredMessage: settings.unansweredMessage }),
          requestId: request.requestId,
          ...(share === undefined ? {} : { share }),
        },
        round: request.round,
        checks: {
          toolSchemas: parts.toolSchemas,
          owner: { agentId: agent.id, workspaceId: agent.workspaceId },
        },
        mayOffer: handoverSettings(request.settings).offer !== 'never',
        writer,
        metrics,
        signal,
      });
    },
  };
}
