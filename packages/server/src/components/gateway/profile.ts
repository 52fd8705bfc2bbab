import { ACCOUNT_PROFILE, DOCUMENTED_PROFILE, LOBBY_PROFILE, type Id } from '@hearth/protocol';

/** The point in the stream where a client wants to continue. */
export interface ResumePoint {
  readonly epoch: string;
  readonly position: number;
}

/** The way in which a client speaks with the gateway. */
export type Profile =
  | { readonly version: typeof DOCUMENTED_PROFILE }
  | LobbyProfile
  | AccountProfile;

/** Requests that a client makes besides events. */
interface Requests {
  /** Present if it asks for the number of connections (ON1). */
  online?: true;
  /** Present if it asks for what is paused (MO26). */
  pauses?: true;
}

interface LobbyProfile extends Readonly<Requests> {
  readonly version: typeof LOBBY_PROFILE;
  /** `unknown` if it asks to continue from a position that cannot be understood. */
  readonly resume: ResumePoint | 'unknown' | undefined;
}

/** Profile 2: the client says after the connection is made who it is and what it wants. */
export interface AccountProfile extends Requests {
  readonly version: typeof ACCOUNT_PROFILE;
  /** `new` until AUTHENTICATE comes, then `checking` until it is answered. */
  stage: 'new' | 'checking' | 'in';
  /** Its user and the session, once they are known; guests have none. */
  user: Id | undefined;
  session: Id | undefined;
}

const DOCUMENTED: Profile = { version: DOCUMENTED_PROFILE };
const NEW_CLIENT: LobbyProfile = { version: LOBBY_PROFILE, resume: undefined };
const UNKNOWN_CLIENT: LobbyProfile = { version: LOBBY_PROFILE, resume: 'unknown' };

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
  const [version] = /^0*[1-9]\d*$/.exec(parameters.get('v') ?? '') ?? [];
  if (version === undefined) return DOCUMENTED;
  if (Number(version) >= ACCOUNT_PROFILE) return newAccountProfile();
  const profile = lobbyProfile(parameters);
  return {
    ...profile,
    ...(parameters.get('online') === 'true' && { online: true }),
    ...(parameters.get('pauses') === 'true' && { pauses: true }),
  };
}

/** Returns the profile of a client that has not authenticated. */
export function newAccountProfile(): AccountProfile {
  return { version: ACCOUNT_PROFILE, stage: 'new', user: undefined, session: undefined };
}

function lobbyProfile(parameters: URLSearchParams): LobbyProfile {
  const [epoch, s] = [parameters.get('epoch'), parameters.get('s')];
  if (epoch === null && s === null) return NEW_CLIENT;
  const position = /^\d{1,16}$/.test(s ?? '') ? Number(s) : NaN;
  const isKnown = epoch !== null && epoch.length <= MOST_EPOCH_CHARACTERS;
  if (!isKnown || !Number.isSafeInteger(position)) return UNKNOWN_CLIENT;
  return { version: LOBBY_PROFILE, resume: { epoch, position } };
}
