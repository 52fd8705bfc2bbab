import { ForbiddenError } from '@hearth/sdk';
import { describeError } from '../conversation/describe-error.ts';
import type { Formats } from '../text/formats.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { useCommunityText, type CommunityText } from './use-community-text.ts';

interface Describing {
  readonly words: CommunityText['errors'];
  readonly formats: Pick<Formats, 'moment'>;
  /** The names of permissions, if they are to be named. */
  readonly permissions?: Readonly<Record<string, { readonly name: string }>> | undefined;
}

/** A sentence about what a community forbids, one for each code; undefined for other errors. */
export function describeFailure(error: unknown, describing: Describing): string | undefined {
  return error instanceof ForbiddenError ? describeForbidden(error, describing) : undefined;
}

function describeForbidden(
  { code, permission = '', untilMs }: ForbiddenError,
  { words, formats, permissions = {} }: Describing,
): string | undefined {
  const until = untilMs === undefined ? undefined : formats.moment(untilMs);
  switch (code) {
    case 'banned_here':
      return words.bannedHere(until);
    case 'timed_out':
      return words.timedOut(until);
    case 'permission_missing':
      return words.permission(permissions[permission]?.name);
    case 'join_closed':
    case 'not_member':
    case 'not_owner':
    case 'community_deleted':
    case 'rank_too_low':
    case 'role_denies':
      return words.refused[code];
    case undefined:
    default:
      return undefined;
  }
}

/** Describes any error, in the words of communities if it is about one. */
export function useFailureText(
  permissions?: Describing['permissions'],
): (error: unknown) => string {
  const { errors: words } = useCommunityText();
  const text = useText();
  const formats = useFormats();
  return (error) =>
    describeFailure(error, { words, formats, permissions }) ?? describeError(error, text, formats);
}
