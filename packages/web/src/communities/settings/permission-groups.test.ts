import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERMISSIONS, type ChannelKind, type Permission } from '@hearth/protocol';
import {
  GROUP_NAMES,
  NOT_OF_CHANNELS,
  NOT_YET,
  PERMISSION_GROUPS,
  permissionsIn,
  permissionsInChannel,
} from './permission-groups.ts';

const FEATURES = join(import.meta.dirname, '../../../../server/src/features');
const NAMES = Object.keys(PERMISSIONS);

/** The source of the verbs in a folder and below it. */
function verbsIn(folder: string): string {
  const path = join(FEATURES, folder);
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return sources.map((file) => readFileSync(join(path, file), 'utf8')).join('\n');
}

/** The permissions of communities that verbs ask for. `requirePermission` asks for those of staff. */
function askedFor(source: string): readonly string[] {
  const asks =
    /(?:\b(?:requireIn|requireDiscussing|requireToDo|may|hasPermission)\((?!STAFF_PERMISSIONS)[^;'"]*|\bneeds: )(?:[^;'"]*\? )?'([A-Z_]+)'(?: : '([A-Z_]+)')?/g;
  const found = Array.from(source.matchAll(asks), ([, one = '', other = one]) => [one, other]);
  return NAMES.filter((name) => found.flat().includes(name)).toSorted();
}

/** The source of sight, where it is asked in one place for all who sees a channel. */
const SIGHT = readFileSync(join(FEATURES, '../../../protocol/src/sight.ts'), 'utf8');

const ASKED = askedFor(verbsIn('.') + SIGHT);

const LATER: readonly string[] = [
  'AWARD_POINTS',
  'HANDLE_REPORTS',
  'MANAGE_EMOJI',
  'MANAGE_RULES',
  'MANAGE_WEBHOOKS',
  'USE_COMMANDS',
];

describe('[WC340] the editor of permissions', () => {
  test('the editor has every permission in exactly one group, each group once', () => {
    const all: readonly string[] = Object.values(PERMISSION_GROUPS).flat();
    expect(all.toSorted()).toEqual(NAMES.toSorted());
    expect(GROUP_NAMES.map(String).toSorted()).toEqual(Object.keys(PERMISSION_GROUPS).toSorted());
  });

  test('permissions of a role are shown that a verb of the server asks for, and no others', () => {
    const shown: readonly string[] = GROUP_NAMES.flatMap((group) => permissionsIn(group));
    expect(shown.toSorted()).toEqual([...ASKED]);
    expect(NAMES.filter((name) => !LATER.includes(name)).toSorted()).toEqual([...ASKED]);
    expect(Array.from(NOT_YET, String).toSorted()).toEqual([...LATER]);
  });

  const ofChannels = (kind: ChannelKind): readonly Permission[] =>
    GROUP_NAMES.flatMap((group) => permissionsInChannel(group, kind)).toSorted();

  test('permissions of a category are shown that verbs ask for in a channel', () => {
    const folders = ['communities/channels', 'talk', 'forum'];
    const asked = askedFor(folders.map(verbsIn).join('\n') + SIGHT);
    const strong = ['ADMINISTRATOR', 'MANAGE_CHANNELS', 'MANAGE_ROLES'];
    expect(ofChannels('category').map(String)).toEqual(
      asked.filter((name) => !strong.includes(name)),
    );
    for (const name of strong) expect(Array.from(NOT_OF_CHANNELS).map(String)).toContain(name);
  });

  const kinds = [
    'messages',
    'announcements',
    'posts',
    'category',
  ] as const satisfies readonly ChannelKind[];

  test.each(kinds)('permissions are shown that decide about something in a channel: %s', (kind) => {
    const [messages, posts] = [['REACT', 'SEND_MESSAGES'], ['forum']];
    const ofPosts = askedFor(posts.map(verbsIn).join('\n'));
    const inBoth = ['ATTACH_FILES', 'BYPASS_SLOW_MODE', 'MANAGE_CONTENT', 'MENTION_ALL', 'PIN'];
    const onlyPosts = ofPosts.filter((name) => ![...inBoth, 'VIEW'].includes(name));
    const expected = {
      posts: [...inBoth, ...onlyPosts],
      category: [...inBoth, ...messages, ...onlyPosts],
      messages: [...inBoth, ...messages],
      announcements: [...inBoth, ...messages],
    }[kind];
    expect(ofChannels(kind).map(String)).toEqual(['VIEW', ...expected].toSorted());
  });
});
