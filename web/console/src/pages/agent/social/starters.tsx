import { limits } from '../../../../../../core/schemas/limits.js';
import type { ConversationStarters } from '../../../api/types.js';
import { lengthProblem } from './length-problem.js';
import { Phone } from './phone.js';
import { ProfileEditor } from './profile-editor.js';
import { useProfile } from './use-profile.js';

const { starters } = limits.social;

/** Edits the questions that people may tap to begin a conversation. */
export function Starters({ agentId, username }: { agentId: string; username: string }) {
  const state = useProfile<ConversationStarters>(agentId, 'conversation-starters');
  const questionsOf = (part: Pick<NonNullable<ConversationStarters['live']>, 'items'> | null | undefined) =>
    part?.items.map(({ question }) => question) ?? [];
  return (
    <ProfileEditor
      title="Conversation starters"
      about="Questions that a person may tap before they have written anything. The agent answers them like a message."
      state={state}
      stored={questionsOf(state.profile?.desired)}
      live={questionsOf(state.profile?.live)}
      limit={{ max: starters.max, item: 'Starter' }}
      empty=""
      check={(question) => {
        const problem = lengthProblem('a question', question, starters.question);
        return problem === null ? { item: { question: question.trim() } } : { field: 'question', problem };
      }}
      fields={(question, change, number, marks) => (
        <input
          {...marks('question')}
          aria-label={`Question ${number}`}
          value={question}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      preview={(questions) => (
        <Phone username={username}>
          {questions.length === 0 ? (
            <p class="phone-hint">No starters.</p>
          ) : (
            <>
              <p class="phone-hint">Tap a question</p>
              <ul class="plain phone-starters">
                {questions.map((question, at) => (
                  <li key={`${at}-${question}`}>{question || '…'}</li>
                ))}
              </ul>
            </>
          )}
        </Phone>
      )}
    />
  );
}
