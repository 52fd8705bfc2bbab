import { countCodePoints } from '@hearth/sdk';
import { COMMUNITY_NAME_LENGTH, USERNAME_LENGTH, usernameSchema } from '@hearth/protocol/schemas';
import type { CommunityText } from './use-community-text.ts';
import { typedText } from '../lib/typed-text.ts';

type Words = CommunityText['create'];

/** Returns what is wrong with the name of a community, if anything. */
export function checkCommunityName(typed: string, words: Words): string | undefined {
  const length = countCodePoints(typedText(typed));
  if (length < COMMUNITY_NAME_LENGTH.min) return words.nameShort;
  return length > COMMUNITY_NAME_LENGTH.max ? words.nameLong : undefined;
}

/** Returns what is wrong with the address of a community, if anything. Whether it is free only the server knows. */
export function checkSlug(typed: string, words: Words): string | undefined {
  const slug = typed.trim();
  const { length } = slug;
  if (length < USERNAME_LENGTH.min || length > USERNAME_LENGTH.max) return words.slugLength;
  const { success, error } = usernameSchema.safeParse(slug);
  if (success) return undefined;
  const isReserved = error.issues.every(({ code }) => code === 'custom');
  return isReserved ? words.slugReserved : words.slugCharacters;
}

/** An address made of a name, as far as its letters can be part of one. */
export function slugFrom(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, USERNAME_LENGTH.max)
    .replaceAll(/^-+|-+$/g, '');
}

/** The names of channels, one on each line, without empty ones and repetitions. */
export function channelNames(typed: string): readonly string[] {
  const names = typed
    .split('\n')
    .map((name) => typedText(name.trim().replace(/^#\s*/, '')))
    .filter((name) => name !== '');
  return [...new Set(names)];
}
