import type { FirstSettings } from '@hearth/server';

/** Something that an owner can choose at the first start: the text that people read, and what it sets. */
export interface Choice {
  readonly text: string;
  /** The word that also chooses it, as the instance file has it. */
  readonly word: string;
  readonly sets: Partial<FirstSettings>;
}

/** A question of the first start. The first choice is the default. */
export interface Question {
  readonly text: string;
  readonly choices: readonly [Choice, ...Choice[]];
}

/** The question who may register. */
export const WHO_COMES_IN: Question = {
  text: 'Who may come in?',
  choices: [
    {
      text: 'People with an invite (any member can invite)',
      word: 'invite',
      sets: { registration: 'invite', community_invites_register: true },
    },
    {
      text: 'People with an invite from you',
      word: 'own',
      sets: { registration: 'invite', community_invites_register: false },
    },
    { text: 'People whom you approve', word: 'approval', sets: { registration: 'approval' } },
    { text: 'Everyone', word: 'open', sets: { registration: 'open' } },
    { text: 'Nobody', word: 'closed', sets: { registration: 'closed' } },
  ],
};

/** The question who may use the lobby. */
export const WHO_USES_LOBBY: Question = {
  text: 'Who may use the lobby, the conversation that everyone here shares?',
  choices: [
    { text: 'Everyone, even without an account', word: 'open', sets: { lobby: 'open' } },
    {
      text: 'People with an account (only they can then read public communities as well)',
      word: 'accounts',
      sets: { lobby: 'accounts' },
    },
    { text: 'Nobody: there is no lobby', word: 'off', sets: { lobby: 'off' } },
  ],
};

/** The text of what these settings say; undefined if no choice sets them. */
export function chosenText({ choices }: Question, settings: FirstSettings): string | undefined {
  const given: Readonly<Record<string, unknown>> = { ...settings };
  return choices.find(({ sets }) =>
    Object.entries(sets).every(([key, value]) => given[key] === value),
  )?.text;
}
