import type { ComponentChildren } from 'preact';
import type { Failure } from '../../../api/failure.js';
import type { Automation } from '../../../api/types.js';
import type { FieldTexts } from '../../../forms/layout.js';
import { labelOf } from '../../../forms/words.js';
import { to } from '../../../router.js';

type AutomationType = Automation['type'];

interface TypeTexts {
  /** The event that triggers the automation. */
  name: string;
  /** The object of the automation, in the singular. */
  target: string;
  /** Labels of its scopes. */
  scopes: { any: string; specific: string };
  scopeField: 'postScope' | 'storyScope';
  idField: 'postId' | 'storyId';
}

export const typeTexts: Record<AutomationType, TypeTexts> = {
  comment_to_dm: {
    name: 'Comments',
    target: 'post',
    scopes: { any: 'Any post', specific: 'One post' },
    scopeField: 'postScope',
    idField: 'postId',
  },
  story_leads: {
    name: 'Replies to stories',
    target: 'story',
    scopes: { any: 'Any story', specific: 'One story' },
    scopeField: 'storyScope',
    idField: 'storyId',
  },
};

export const statusNames: Record<Automation['status'], string> = { draft: 'Draft', live: 'Live' };

/** Texts of the form. */
export const automationTexts: FieldTexts = {
  name: { about: 'Only you see it.' },
  status: {
    about: 'A draft does nothing and may be incomplete.',
    choices: statusNames,
  },
  postScope: {
    label: 'Which posts',
    about: 'An automation for any post applies unless an automation for the specific post matches.',
    choices: typeTexts.comment_to_dm.scopes,
  },
  postId: { label: 'Id of the post', about: 'The post’s number on the platform.' },
  storyScope: {
    label: 'Which stories',
    about: 'An automation for any story applies unless an automation for the specific story matches.',
    choices: typeTexts.story_leads.scopes,
  },
  storyId: { label: 'Id of the story', about: 'The story’s number on the platform.' },
  keywords: {
    about:
      'Whole words or phrases. The automation reacts if any of them occurs. Without keywords, it reacts to everything.',
  },
  message: { about: 'Sent to each person once.' },
};

/** Returns advice on an automation that cannot go live, in the words of the form; null for other failures. */
export function conflictOf(
  { code, fieldErrors }: Failure,
  agentId: string,
  type: AutomationType,
): ComponentChildren {
  const { target, scopes } = typeTexts[type];
  if (code === 'SOCIAL_AUTOMATION_TARGET_TAKEN')
    return `Another live automation already watches this ${target}. Make that one a draft first, or enter another ${target}.`;
  if (code === 'SOCIAL_AUTOMATION_CATCH_ALL_EXISTS')
    return `Another live automation already watches “${scopes.any}”. Make that one a draft first, or choose “${scopes.specific}”.`;
  if (code === 'SOCIAL_RECONNECT_REQUIRED')
    return (
      <>
        The token lacks the permission for comments.{' '}
        <a href={to('agents', agentId, 'social')}>Connect again</a> with a token that has it.
      </>
    );
  const missing = Object.keys(fieldErrors).map((name) => automationTexts[name]?.label ?? labelOf(name));
  return missing.length === 0
    ? null
    : `This draft is incomplete. Edit it, and fill in: ${missing.join(', ')}.`;
}
