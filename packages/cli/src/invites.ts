import { ConflictError, countCodePoints, inviteLink, NotFoundError } from '@hearth/protocol';
import {
  createInvite,
  listInvites,
  OWNER,
  revokeInvite,
  type Invite,
  type OwnerContext,
} from '@hearth/server';
import { warnings, type Command, type Group, type Invocation } from './command.ts';
import { durationMs } from './duration.ts';
import { JSON_FLAG, listingText, resultText, type Listing } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner, conflictText, UsageError } from './owner-error.ts';
import { formatTime, inLine } from './text.ts';

const MOST_NOTE_CHARACTERS = 200;

const fieldsOf = ({ code, most_uses, uses, created_at, expires_at, note }: Invite) => {
  return { code, most_uses, uses, created_at, expires_at, note };
};

const LISTING: Listing<Invite> = {
  fields: fieldsOf,
  columns: [
    ['CODE', ({ code }) => code],
    ['USED', ({ uses, most_uses }) => `${uses} of ${most_uses ?? 'any number'}`],
    ['CREATED', ({ created_at }) => formatTime(created_at)],
    ['EXPIRES', ({ expires_at }) => (expires_at === undefined ? 'never' : formatTime(expires_at))],
    ['NOTE', ({ note = '' }) => inLine(note)],
  ],
  whenEmpty: 'There are no invites.',
};

const createCommand: Command = {
  kind: 'command',
  name: 'create',
  about: 'Create an invite to register an account',
  parameters: [],
  flags: [
    { name: 'uses', value: 'n', about: 'How often it can be used, or any (default: 1)' },
    {
      name: 'for',
      value: 'duration',
      about: 'When it expires, such as 30m, 1h or 7d (default: 7d), or never',
    },
    { name: 'note', value: 'text', about: 'What you want to remember about it' },
    { ...JSON_FLAG, about: 'Print the invite as JSON' },
  ],
  async run({ flags }, surroundings) {
    const request = requestOf(flags, Date.now());
    await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
      const creating = createInvite(ctx, OWNER, request);
      const invite = await blamingOwner(creating, ConflictError, conflictText);
      const link = linkOf(ctx, invite);
      const fields = { ...fieldsOf(invite), ...(link !== undefined && { link }) };
      const line =
        link === undefined
          ? `The code of the invite is ${invite.code}: put it after #invite= at the end of the web client's address`
          : `The invite is ${link}`;
      surroundings.print(resultText(line, fields, flags));
      if (ctx.settings.registration === 'closed') {
        warnings(surroundings.warn)('nobody can use it while registration is "closed"');
      }
    });
    return 0;
  },
};

const listCommand: Command = {
  kind: 'command',
  name: 'list',
  alias: 'ls',
  about: 'List the newest 1,000 invites, newest first',
  parameters: [],
  flags: [JSON_FLAG],
  async run({ flags }, surroundings) {
    await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
      surroundings.print(listingText(LISTING, await listInvites(ctx, OWNER), flags));
    });
    return 0;
  },
};

const revokeCommand: Command = {
  kind: 'command',
  name: 'revoke',
  about: 'Revoke an invite, so that it cannot be used any more',
  parameters: [{ name: 'code', about: 'As hearth invites list prints it' }],
  flags: [{ ...JSON_FLAG, about: 'Print the code, and how often it was used, as JSON' }],
  async run({ args: [code = ''], flags }, surroundings) {
    const { uses, most_uses: mostUses } = await blamingOwner(
      withOwnerContext(surroundings, 'maintenance', (ctx) => revokeInvite(ctx, OWNER, code)),
      NotFoundError,
      () => `there is no invite ${inLine(code)}: see hearth invites list`,
    );
    const past =
      mostUses === undefined || uses < mostUses
        ? 'was used'
        : 'could not be used any more: it was used';
    const times = uses === 1 ? 'once' : `${uses} times`;
    const line =
      uses === 0
        ? `Revoked ${code}`
        : `Revoked ${code}, which ${past} ${times}. The accounts of those who used it stay.`;
    surroundings.print(resultText(line, { code, uses }, flags));
    return 0;
  },
};

/** The owner's commands for invites. */
export const INVITE_COMMANDS: Group = {
  kind: 'group',
  name: 'invites',
  about: 'Manage invites to register an account',
  commands: [createCommand, listCommand, revokeCommand],
  details: () => 'An invite link carries the code: <address of the web client>/#invite=<code>',
};

function linkOf({ settings: { publicUrl } }: OwnerContext, { code }: Invite): string | undefined {
  return publicUrl === undefined ? undefined : inviteLink(publicUrl, code);
}

function requestOf(flags: Invocation['flags'], nowMs: number) {
  const [uses = '1', term = '7d', note = ''] = [
    flags.get('uses'),
    flags.get('for'),
    flags.get('note')?.trim(),
  ];
  const mostUses = uses === 'any' ? undefined : Number(/^\d{1,6}$/.test(uses) ? uses : 0);
  if (mostUses === 0) {
    throw new UsageError(`--uses must be a whole number of at least 1, or any, not "${uses}"`);
  }
  const ms = term === 'never' ? undefined : (durationMs(term) ?? 0);
  if (ms === 0) {
    throw new UsageError(`--for must be a duration such as 30m, 1h or 7d, or never, not "${term}"`);
  }
  if (countCodePoints(note) > MOST_NOTE_CHARACTERS) {
    throw new UsageError(`--note must be at most ${MOST_NOTE_CHARACTERS} characters long`);
  }
  return { mostUses, expiresAtMs: ms === undefined ? undefined : nowMs + ms, note };
}
