import { DOCUMENTED_PROFILE, LOBBY_PROFILE } from '@hearth/protocol';

/** Where in the stream a client wants to continue. */
export interface ResumePoint {
  readonly epoch: string;
  readonly position: number;
}

/** How a client speaks with the gateway. */
export type Profile = { readonly version: typeof DOCUMENTED_PROFILE } | NewestProfile;

interface NewestProfile {
  readonly version: typeof LOBBY_PROFILE;
  /** `unknown` if it asks to continue from a position that cannot be understood. */
  readonly resume: ResumePoint | 'unknown' | undefined;
  /** Present if it asks for the number of connections (ON1). */
  readonly online?: true;
  /** Present if it asks for what is paused (MO26). */
  readonly pauses?: true;
}

const DOCUMENTED: Profile = { version: DOCUMENTED_PROFILE };
const NEW_CLIENT: NewestProfile = { version: LOBBY_PROFILE, resume: undefined };
const UNKNOWN_CLIENT: NewestProfile = { version: LOBBY_PROFILE, resume: 'unknown' };

/** Longest epoch that is accepted. */
const MOST_EPOCH_CHARACTERS = 64;

/**
 * The profile that the gateway's URL asks for: the newest known one that is not above `v`, otherwise the documented
 * one.
 */
export function profileOf(url: string): Profile {
  const at = url.indexOf('?');
  if (at === -1) return DOCUMENTED;
  const parameters = new URLSearchParams(url.slice(at));
  if (!/^0*[1-9]\d*$/.test(parameters.get('v') ?? '')) return DOCUMENTED;
  const profile = newestProfile(parameters);
  return {
    ...profile,
    ...(parameters.get('online') === 'true' && { online: true }),
    ...(parameters.get('pauses') === 'true' && { pauses: true }),
  };
}

function newestProfile(parameters: URLSearchParams): NewestProfile {
  const [epoch, s] = [parameters.get('epoch'), parameters.get('s')];
  if (epoch === null && s === null) return NEW_CLIENT;
  const position = /^\d{1,16}$/.test(s ?? '') ? Number(s) : NaN;
  const isKnown = epoch !== null && epoch.length <= MOST_EPOCH_CHARACTERS;
  if (!isKnown || !Number.isSafeInteger(position)) return UNKNOWN_CLIENT;
  return { version: LOBBY_PROFILE, resume: { epoch, position } };
}
