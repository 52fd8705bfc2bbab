/** Writes the tables of errors, permissions, limits and events. */
import {
  CONFLICTS,
  DISCONNECT_REASONS,
  ERROR_NAMES,
  errorFields,
  ERRORS,
  FEATURES,
  hasPermission,
  NEW_EVERYONE_PERMISSIONS,
  OVERWRITABLE_PERMISSIONS,
  PERMISSIONS,
  RATE_LIMIT_NAMES,
  RATE_LIMITS,
  STAFF_PERMISSIONS,
  type ErrorKind,
} from '@hearth/protocol';
import {
  DISCONNECT_TEXTS,
  ERROR_CODES,
  ERROR_FIELDS,
  PERMISSION_TEXTS,
  STAFF_PERMISSION_TEXTS,
} from '@hearth/protocol/descriptions';
import { EVERYTHING } from '@hearth/protocol/descriptions/everything';
import { dataOf, opOf } from './noun-page.ts';

const STREAMS = [
  '| `lobby` | everyone, if the instance has a lobby | messages of the lobby |',
  '| `u:` and the id of a user | that user, on all devices | their account, what they read, what they are notified of, and their memberships |',
  '| `c:` and the id of a community | its members | the community, its roles, and its channels that are not restricted |',
  '| `r:` and the id of a channel | the members who see this restricted channel | the channel |',
  '| `m:` and the id of a community | its moderators | what concerns moderators |',
];

/** Every error, with its fields and codes. */
export function errorsPage(): string {
  const kinds = ERROR_NAMES.map((name) => {
    const { status, about, messageByCode = {} }: ErrorKind = ERRORS[name];
    const fields = Object.entries(errorFields(name)).map(
      ([field, type]) =>
        `| \`data.${field}\` | ${type.replace('?', ', optional')} | ${ERROR_FIELDS[field] ?? ''} |`,
    );
    const codes = Object.keys(messageByCode).map((code) => `\`${code}\``);
    return [
      `### ${name}`,
      `${status}. ${about}.`,
      ...(fields.length === 0 ? [] : [table('Field | Type | Meaning', fields)]),
      ...(codes.length === 0 ? [] : [`It has a message of its own for ${codes.join(', ')}.`]),
    ].join('\n\n');
  });
  const codes = Object.entries(ERROR_CODES).map(([code, text]) => `| \`${code}\` | ${text} |`);
  const conflicts = Object.entries(CONFLICTS).flatMap(([code, fields]) =>
    Object.entries<string>(fields).map(
      ([field, text]) => `| \`${code}\` | \`${field}\` | ${text} |`,
    ),
  );
  return [
    '# Errors',
    'Every error has the same shape, [errorEnvelope](instance.md#errorenvelope). Programs decide by `status` and `data.code`; the message is for people.',
    '```json\n{\n  "status": 422,\n  "message": "Invalid author: must be text of 2 to 32 characters",\n  "data": { "field_name": "author", "error": "must be text of 2 to 32 characters" }\n}\n```',
    '## Kinds',
    ...kinds,
    '## Codes',
    'Later versions have more codes. A client treats an unknown one as an error of its status.',
    table('`data.code` | Meaning', codes),
    '## Conflicts',
    'A ConflictError has a code, the field, and a sentence. A name in braces stands for a detail.',
    table('`data.code` | `data.field_name` | Message', conflicts),
  ].join('\n\n');
}

/** Every permission, and what new communities give everyone. */
export function permissionsPage(): string {
  const has = (mask: typeof NEW_EVERYONE_PERMISSIONS, name: keyof typeof PERMISSIONS) =>
    hasPermission(PERMISSIONS, mask, name) ? 'yes' : '';
  const rows = Object.entries(PERMISSION_TEXTS).map(([name, text]) => {
    // Guarantee: the texts have the names of the table.
    const permission = name as keyof typeof PERMISSIONS;
    return `| ${name} | ${text} | ${has(NEW_EVERYONE_PERMISSIONS, permission)} | ${has(OVERWRITABLE_PERMISSIONS, permission)} |`;
  });
  const staff = Object.keys(STAFF_PERMISSIONS).map(
    (name) => `| ${name} | ${STAFF_PERMISSION_TEXTS[name as keyof typeof STAFF_PERMISSIONS]} |`,
  );
  return [
    '# Permissions',
    'A member may do what any of their [roles](roles.md) allows, the everyone role among them. In a channel, [overwrites](channels.md#overwrite) of its category and then its own take permissions away and add some: first those for everyone, then those for roles, then those for the member. The owner and members with ADMINISTRATOR may do everything. People who are no members may at most VIEW what everyone may see, and COMMENT and VOTE in public communities that everyone may join.',
    'A client need not compute this: `permissions` of an [ownCommunity](communities.md#owncommunity) and of its channels say what the caller may do. [cases/access.md](../spec/cases/access.md) says which route answers whom what.',
    table('Name | What members may do | Everyone in a new community | In overwrites', rows),
    '## Staff',
    'Staff have permissions on the whole instance, in `staff_permissions` of an [ownUser](users.md#ownuser). They have none in communities.',
    table('Name | What staff may do', staff),
  ].join('\n\n');
}

/** Every limit, with its defaults. */
export function limitsPage(): string {
  const rows = RATE_LIMIT_NAMES.map((name) => {
    const { counts, defaults }: (typeof RATE_LIMITS)[typeof name] = RATE_LIMITS[name];
    const bytes = 'file_size_limit' in defaults ? `, ${defaults.file_size_limit} bytes` : '';
    return `| ${name} | ${defaults.limit} in ${defaults.reset_after} s${bytes} | ${counts} |`;
  });
  return [
    '# Limits',
    'Each route counts in one limit: by the account for requests with a token, and otherwise by the address of the client. The owner of an instance may set other numbers, which `GET /rate_limits` answers with.',
    'Every answer has `X-RateLimit-Max`, `X-RateLimit-Request-Count`, `X-RateLimit-Last-Reset` and `X-RateLimit-Reset`: how many requests a time frame has, how many of them are used, when it began (in Unix milliseconds) and how long it is (in milliseconds). A client that has used them up waits until the end of the time frame. If it is refused with a [RateLimitedError](errors.md#ratelimitederror), nothing was done, and it waits for `data.retry_after` milliseconds.',
    table('Name | By default | What counts', rows),
  ].join('\n\n');
}

/** Every feature that an instance may list. */
export function featuresPage(): string {
  const rows = Object.entries(FEATURES).map(([name, text]) => `| \`${name}\` | ${text} |`);
  return [
    '# Features',
    '`features` of the [capabilities](instance.md#capabilities) has these names. An instance may lack some: one that keeps no messages of the lobby, or sends no mail.',
    table('Name | What it promises', rows),
  ].join('\n\n');
}

/** Every event, and every reason for the end of a connection. */
export function eventsPage(): string {
  const rows = EVERYTHING.allKnown()
    .filter(({ to }) => to !== undefined)
    .map((event) => {
      const data = dataOf(event, { noun: 'gateway', io: 'output' }).replaceAll(
        '](#',
        '](gateway.md#',
      );
      return `| [${opOf(event)}](${event.noun}.md#events) | ${event.about} | ${data} | ${event.to ?? ''} |`;
    });
  const reasons = Object.entries(DISCONNECT_REASONS).map(
    ([name, { reconnect }]) =>
      `| \`${name}\` | ${DISCONNECT_TEXTS[name as keyof typeof DISCONNECT_REASONS]} | ${reconnect ? 'yes' : 'no'} |`,
  );
  return [
    '# Events',
    'A gateway of profile 2 sends each event with `op`, and events of streams also with `t`, the name of the stream, and `s`, the position there. A client ignores events that it does not know, and still remembers `s`.',
    table('Stream | Who follows it | What it has', STREAMS),
    '## All events',
    table('Event | What has happened | `d` | To whom', rows),
    '## Reasons of DISCONNECT',
    table('`reason` | Meaning | Connect again', reasons),
  ].join('\n\n');
}

function table(head: string, rows: readonly string[]): string {
  const columns = head.split('|').map(() => '---');
  return [`| ${head} |`, `|${columns.join('|')}|`, ...rows].join('\n');
}
