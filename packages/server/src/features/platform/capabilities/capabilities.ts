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
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';

/** The features that an instance lacks that keeps no messages. */
const OF_HISTORY: ReadonlySet<string> = new Set<Feature>([
  'around',
  'changes',
  'history',
  'reactions',
  'search',
]);

const MAIL: Feature = 'mail';

/** Finds what a feature adds to what the instance can do. */
export type CapabilityPart = () => Promise<Partial<Capabilities>>;

export interface HasCapabilityParts {
  readonly capabilityParts: readonly CapabilityPart[];
}

/** Describes what this instance can do (RS9). */
export async function describeCapabilities(
  { settings, restrictions, mailer, capabilityParts }: Context & HasCapabilityParts,
  _actor: Actor,
): Promise<Capabilities> {
  const { rest, files, publicUrl, registration, registrationQuestion } = settings;
  const asks = registration === 'approval' && registrationQuestion !== undefined;
  const parts = await Promise.all(capabilityParts.map((part) => part()));
  const keepsMessages = rest.history.messages > 0;
  return {
    profiles: [DOCUMENTED_PROFILE, LOBBY_PROFILE, ACCOUNT_PROFILE],
    features: Object.keys(FEATURES).filter(
      (name) => (keepsMessages || !OF_HISTORY.has(name)) && (mailer !== undefined || name !== MAIL),
    ),
    registration,
    ...(asks && { registration_question: registrationQuestion }),
    ...Object.assign({}, ...parts),
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
