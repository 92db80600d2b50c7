import { handoverSettings } from '../agent-settings/handover-settings.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../schemas/json.js';
import { ownSentence } from './own-sentence.js';
import { type Preset, presets } from './presets.js';

const isPreset = (name: JsonValue | undefined): name is Preset =>
  typeof name === 'string' && Object.hasOwn(presets, name);

/** The agent's settings that affect answers. */
export interface AnswerSettings {
  /** Null if the agent selects none. */
  model: string | null;
  instruction: string | null;
  /** Canonical widget locale, or null. */
  language: string | null;
  initialMessages: string[];
  /** Sentence for questions without an answer, as Markdown. Null: the built-in one. */
  unansweredMessage: string | null;
}

const textOf = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);

/** Reads the settings. A prompt of the agent takes precedence over its preset, unless the prompt is blank. */
export function answerSettings(settings: JsonObject): AnswerSettings {
  const { ai, conversation, language } = settings;
  const { unansweredMessage } = handoverSettings(settings);
  const { model, instructionsPrompt, instructionsPreset }: JsonObject = isJsonObject(ai) ? ai : {};
  const { initialMessages }: JsonObject = isJsonObject(conversation) ? conversation : {};
  const prompt = textOf(instructionsPrompt);
  const preset = isPreset(instructionsPreset) ? instructionsPreset : 'ai-chatbot';
  return {
    model: textOf(model),
    instruction: prompt !== null && prompt.trim() !== '' ? prompt : presets[preset],
    language: textOf(language),
    initialMessages: Array.isArray(initialMessages)
      ? initialMessages.flatMap((said) => textOf(said) ?? [])
      : [],
    unansweredMessage: unansweredMessage === null ? null : ownSentence(unansweredMessage),
  };
}
