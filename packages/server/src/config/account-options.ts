import {
  LOBBY_MODES,
  MOST_QUESTION_CHARACTERS,
  PROOF_MODES,
  REGISTRATION_MODES,
  STAFF_FACTOR_MODES,
} from '@hearth/protocol';
import { option, optional } from './option.ts';
import { oneOf, textOfLength, yesOrNo } from './value-types.ts';

/** Options about accounts, at the top level of an instance file. */
export const ACCOUNT_OPTIONS = {
  registration: option({
    type: oneOf(REGISTRATION_MODES),
    default: 'invite',
    about:
      'Who may register an account: everyone (open), people with an invite (invite), people whom the staff approves (approval) or nobody (closed)',
  }),
  registration_question: optional({
    as: 'registrationQuestion',
    type: textOfLength(1, MOST_QUESTION_CHARACTERS),
    fallback: undefined,
    fallbackName: 'none',
    example: 'How did you hear of us?',
    about: 'What people are asked when they register, if the staff approves accounts',
  }),
  community_invites_register: option({
    as: 'communityInvitesRegister',
    type: yesOrNo,
    default: true,
    about:
      'Whether people can register with an invite to a community, which its members make, unless registration is closed',
  }),
  registration_proof: option({
    as: 'registrationProof',
    type: oneOf(PROOF_MODES),
    default: 'automatic',
    about:
      'Whether a device has to work for a second to register an account, against automated registrations: never (off), always (on), or while more people register than usual (automatic)',
  }),
  staff_second_factor: option({
    as: 'staffSecondFactor',
    type: oneOf(STAFF_FACTOR_MODES),
    default: 'optional',
    about:
      'Whether staff have to sign in with a second factor; if it is required, the permissions of those without one are not in force',
  }),
  lobby: option({
    type: oneOf(LOBBY_MODES),
    default: 'open',
    about:
      'Who may use the lobby: everyone (open), people with an account (accounts) or nobody (off); with accounts, visitors cannot read public communities either',
  }),
};
