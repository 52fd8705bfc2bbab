import type { AuditEntry } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import type { Formats } from '../../text/formats.ts';
import type { CommunityText } from '../use-community-text.ts';
import type { SettingsText } from './use-settings-text.ts';

type Change = NonNullable<AuditEntry['changes']>[number];
type Value = Change['before'];

interface Describing {
  readonly words: SettingsText;
  readonly frame: Pick<CommunityText['frame'], 'kinds' | 'visibilities' | 'joins'>;
  readonly formats: Pick<Formats, 'moment'>;
  /** Whose roles and channels are named. */
  readonly community: Pick<MyCommunity, 'roles' | 'channels'>;
}

/**
 * Describes what changed of a field, in the reader's words: what was added to a list and removed from it, or what it
 * was and is.
 */
export function describeChange(change: Change, describing: Describing): string {
  const { field, before, after } = change;
  const { audit } = describing.words;
  const name = audit.fields[field] ?? field;
  const shown = (value: Value) => nameOf(field, value, describing);
  if (!Array.isArray(before ?? after)) {
    if (before === undefined) return audit.list(name, shown(after));
    return audit.change(name, shown(before), shown(after));
  }
  const [was, is] = [listOf(before), listOf(after)];
  const signs = [
    ...is.filter((each) => !was.includes(each)).map((each) => `+ ${shown(each)}`),
    ...was.filter((each) => !is.includes(each)).map((each) => `− ${shown(each)}`),
  ];
  // With the same entries, the order is another one.
  return audit.list(name, (signs.length > 0 ? signs : is.map(shown)).join(', '));
}

function listOf(value: Value): readonly string[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(field: string, value: Value, describing: Describing): string {
  const { words, frame, formats, community } = describing;
  const { audit } = words;
  if (value === undefined || value === '') return audit.nothing;
  if (typeof value === 'boolean') return value ? audit.yes : audit.no;
  if (/_(at|until)$/.test(field) && typeof value === 'number') return formats.moment(value);
  const text = String(value);
  const names: Readonly<Record<string, string | undefined>> = {
    icon: audit.picture,
    banner: audit.picture,
    kind: lookUp(frame.kinds, text),
    visibility: lookUp(frame.visibilities, text),
    join: lookUp(frame.joins, text),
    slow_mode_seconds: words.channels.slowModes[text],
    category_id: community.channels.find(({ id }) => id === text)?.name,
    role_ids: community.roles.find(({ id }) => id === text)?.name,
    ...Object.fromEntries(
      ['permissions', 'allow', 'deny'].map((list) => [
        list,
        lookUp<{ readonly name: string }>(words.permissions.names, text)?.name,
      ]),
    ),
  };
  return names[field] ?? text;
}

function lookUp<Name>(names: Readonly<Record<string, Name>>, key: string): Name | undefined {
  return Object.hasOwn(names, key) ? names[key] : undefined;
}
