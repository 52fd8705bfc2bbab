import {
  ACCOUNT_PROFILE,
  DOCUMENTED_PROFILE,
  FEATURES,
  HISTORY_PAGE,
  MEDIA_SIZES,
  MOST_NONCE_CHARACTERS,
  LOBBY_PROFILE,
  type Capabilities,
  type Feature,
} from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { within } from '../../lib/within.ts';
import type { KeepsProofs } from '../proofs/proofs.ts';

/** What an instance lacks that keeps no messages. */
const OF_HISTORY: ReadonlySet<string> = new Set<Feature>([
  'around',
  'changes',
  'history',
  'reactions',
  'search',
]);

const MAIL: Feature = 'mail';

/** How long the database may take, in milliseconds. */
const ANSWER_MS = 1_000;

/** What this instance can do (RS9). */
export async function describeCapabilities(
  { settings, restrictions, mailer, proofs }: Context & KeepsProofs,
  _actor: Actor,
): Promise<Capabilities> {
  const { rest, files, publicUrl, registration, registrationQuestion } = settings;
  const asks = registration === 'approval' && registrationQuestion !== undefined;
  // Without the database nobody can register, but clients can use the rest.
  const proof = registration === 'closed' ? undefined : await within(proofs.challenge(), ANSWER_MS);
  const keepsMessages = rest.history.messages > 0;
  return {
    profiles: [DOCUMENTED_PROFILE, LOBBY_PROFILE, ACCOUNT_PROFILE],
    features: Object.keys(FEATURES).filter(
      (name) => (keepsMessages || !OF_HISTORY.has(name)) && (mailer !== undefined || name !== MAIL),
    ),
    registration,
    ...(asks && { registration_question: registrationQuestion }),
    ...(proof && { proof }),
    lobby: settings.lobby,
    ...(restrictions.latest.accessCode !== undefined && { access_code: true }),
    // Without it, only this machine's own address is known, which is of no use to others.
    ...(publicUrl !== undefined && { web_url: publicUrl }),
    limits: {
      message_limit: rest.messageLimit,
      nonce_limit: MOST_NONCE_CHARACTERS,
      page_limit: HISTORY_PAGE.max,
      file_size: files.assetSizeBytes,
      attachment_file_size: files.attachmentSizeBytes,
      media_sizes: [...MEDIA_SIZES],
    },
  };
}
