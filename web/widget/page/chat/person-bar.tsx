import type { FrameSettings } from '../../../../core/http/widget/frame-settings.schema.js';
import type { Strings } from '../strings.js';
import { ContactOffer } from './contact-offer.js';
import type { PersonState } from './person-state.js';
import type { Talk } from './talk.js';

interface PersonBarProps {
  person: PersonState;
  settings: FrameSettings;
  strings: Strings;
  talk: Talk;
}

/** Says above the input whether a person answers, or is asked for. */
export function PersonBar({ person, settings, strings, talk }: PersonBarProps) {
  const { state, expectedSeconds, hasWaited, isTyping, note } = person;
  const { form } = settings.handover;
  const name = person.person ?? settings.title;
  const isForm = form !== null && (state === 'requested' ? hasWaited : note === 'nobodyAvailable');
  return (
    <div class="person">
      <p class="note" role="status" dir="auto">
        {state === 'requested' && strings.text('personAsked')}
        {state === 'requested' &&
          expectedSeconds !== null &&
          ` ${strings.text('usualWait', { duration: expectedSeconds })}`}
        {state === 'human' && (
          <>
            <span class="initial" aria-hidden="true">
              {[...name][0]}
            </span>{' '}
            {strings.text(isTyping ? 'personTyping' : 'personJoined', { name })}
          </>
        )}
        {(state === 'agent' || state === 'closed') && note !== null && strings.text(note)}
      </p>
      {state === 'requested' && (
        <button type="button" class="plain" onClick={talk.cancelCall}>
          {strings.text('cancelRequest')}
        </button>
      )}
      {isForm && <ContactOffer form={form} strings={strings} send={talk.leaveContact} />}
    </div>
  );
}
