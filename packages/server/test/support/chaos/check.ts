import type { Id } from '@hearth/protocol';
import { readMessages, shownOf, type Placed } from './channel-view.ts';
import type { Written } from './ledger.ts';
import type { Person } from './person.ts';
import type { Rounds } from './rounds.ts';
import { membersText, readMembers, readStructure, structureText } from './structure.ts';
import type { Viewer } from './viewer.ts';

/** The time in milliseconds that it may take until everyone shows what there is. */
const MOST_MS = 20_000;
const PAUSE_MS = 20;

/** Resolves when every client shows exactly what it reads. Throws what differs if that takes too long. */
export async function untilAllShowWhatTheyRead(
  rounds: Rounds,
  viewers: readonly Viewer[],
): Promise<void> {
  let left = viewers;
  await untilNothing(async () => {
    const differing = await Promise.all(
      left.map(async (viewer) => ({ viewer, found: await difference(rounds, viewer) })),
    );
    left = differing.filter(({ found }) => found.length > 0).map(({ viewer }) => viewer);
    return differing.flatMap(({ found }) => found);
  });
}

/** Resolves when there is nothing any more. Throws what there is if that takes too long. */
export async function untilNothing(find: () => Promise<readonly object[]>): Promise<void> {
  const endAt = performance.now() + MOST_MS;
  for (;;) {
    const found = await find();
    if (found.length === 0) return;
    if (performance.now() > endAt) throw new Error(JSON.stringify(found, null, 1));
    await Bun.sleep(PAUSE_MS);
  }
}

async function difference({ now }: Rounds, viewer: Viewer): Promise<readonly object[]> {
  const { person, shown, members } = viewer;
  const sees = now.sees(person.id);
  // Who visits a community asks for it when it becomes public again.
  if (sees && members === undefined) viewer.watch();
  if (shown === undefined) return [{ person: person.name, isReading: true }];
  const { id } = now.community.stored;
  const structure = await readStructure(person, id);
  const channels = structure === undefined ? [] : [...structure.channels.keys()].toSorted();
  const messages: Record<string, readonly string[]> = {};
  const followed = now.followedBy(person.id);
  for (const channel of now.channels) {
    if (!followed.includes(channel)) continue;
    messages[channel] = shownOf(await readMessages(person, channel));
  }
  const expected = {
    ...(structure !== undefined && structureText(structure)),
    messages,
  };
  const known = sees ? await readMembers(person, id) : undefined;
  const pairs = {
    shown: [shown, expected],
    members: [members, known && membersText(known, person.id)],
    streams: [viewer.streams, now.streamsOf(person.id)],
    // What REST answers is what the database says.
    seen: [channels, followed.toSorted()],
  };
  return Object.entries(pairs).flatMap(([what, [found, wanted]]) =>
    Bun.deepEquals(found, wanted)
      ? []
      : [{ person: person.name, what, found, wanted, lately: viewer.lately }],
  );
}

/** Returns what is wrong with what the clients have received, in the order of each stream. */
export function faultsOf(rounds: Rounds, viewers: readonly Viewer[]): readonly object[] {
  const faults: object[] = [];
  const known = new Map<string, Placed>();
  for (const { person, received } of viewers) {
    const newest = new Map<string, bigint>();
    for (const { stream, epoch, s, event } of received) {
      const place = `${stream} ${epoch} ${s}`;
      const other = known.get(place) ?? event;
      if (!isOfSame(event, other)) faults.push({ place, event, other });
      known.set(place, event);
      if (!maySee(rounds, person.id, event)) faults.push({ person: person.name, hidden: event });
      if (event.op !== 'MESSAGE_CREATE' || !('channel_id' in event.d)) continue;
      const { id, channel_id: channel } = event.d;
      // After a stream was lost and is followed again, nothing comes twice, unless Redis has lost its data.
      const order = `${channel} ${epoch.replace(/-\d+$/, '')}`;
      if ((newest.get(order) ?? 0n) >= BigInt(id)) {
        faults.push({ person: person.name, late: event });
      }
      newest.set(order, BigInt(id));
    }
  }
  return faults;
}

/** Returns whether somebody was allowed to see an event in one of the rounds in which it may have been sent. */
function maySee(rounds: Rounds, person: Id, event: Placed): boolean {
  if (event.t.startsWith('u:') && event.t !== `u:${person}`) return false;
  const places = roundsOf(rounds, event);
  if (places === 'any') return true;
  return places
    .flatMap((at) => rounds.rounds[at] ?? [])
    .some((round) =>
      [round.before, round.after].some((state) => {
        if ('channel_id' in event.d && event.d.channel_id !== undefined) {
          return state.mayRead(person, event.d.channel_id);
        }
        return state.streamsOf(person).includes(event.t);
      }),
    );
}

/** The rounds in which an event may have been sent; `any` if that is not known. */
function roundsOf({ rounds, ledger }: Rounds, event: Placed): readonly number[] | 'any' {
  const last = rounds.length - 1;
  const where = (isThen: (at: number) => boolean) =>
    Array.from({ length: rounds.length }, (_, at) => at).filter(isThen);
  switch (event.op) {
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE':
      return 'channel_id' in event.d ? [ledger.roundOf(event.d.content) ?? -1] : 'any';
    case 'MESSAGE_DELETE':
      return 'channel_id' in event.d ? ledger.roundsOf('delete', event.d.id, last) : 'any';
    case 'MESSAGE_DELETE_MANY':
      return event.d.ids.flatMap((id) => ledger.roundsOf('delete', id, last));
    case 'REACTION_ADD':
    case 'REACTION_REMOVE':
      return 'message_id' in event.d ? ledger.roundsOf('react', event.d.message_id, last) : 'any';
    case 'PIN_ADD':
    case 'PIN_REMOVE':
      return ledger.roundsOf('pin', event.d.message_id, last);
    case 'NOTIFICATION_CREATE': {
      const message = ledger.written.get(event.d.message_id ?? '');
      // It may have been changed since, and a message that no answer confirmed is not known.
      const round = /of round (\d+)/.exec(message?.content ?? '')?.[1];
      return round === undefined ? 'any' : where((at) => at <= Number(round));
    }
    case 'COMMUNITY_UPDATE':
      return where((at) => isVersionOf(rounds[at], event.d.version, 'community', event.d.id));
    case 'ROLE_CREATE':
    case 'ROLE_UPDATE':
      return where((at) => isVersionOf(rounds[at], event.d.version, 'roleById', event.d.id));
    case 'CHANNEL_CREATE':
    case 'CHANNEL_UPDATE':
      return where((at) => isVersionOf(rounds[at], event.d.version, 'channelById', event.d.id));
    // In which round they were sent follows from nothing that they have; or they are in the stream of a user.
    case 'CHANNEL_DELETE':
    case 'COMMUNITY_CREATE':
    case 'COMMUNITY_DELETE':
    case 'JOIN_REQUEST_CREATE':
    case 'JOIN_REQUEST_DELETE':
    case 'MEMBER_LEAVE':
    case 'MEMBER_UPDATE':
    case 'NOTIFICATION_READ':
    case 'NOTIFICATION_UPDATE':
    case 'POST_CREATE':
    case 'POST_DELETE':
    case 'POST_UPDATE':
    case 'NOTIFICATION_SETTING_UPDATE':
    case 'READ_UPDATE':
    case 'READ_UPDATE_MANY':
    case 'ROLE_DELETE':
    case 'SESSION_END':
    case 'USER_UPDATE':
      return 'any';
  }
}

/** Returns whether something got a version in a round. */
function isVersionOf(
  round: Rounds['rounds'][number] | undefined,
  ...[version, what, id]: [number, 'community' | 'roleById' | 'channelById', Id]
): boolean {
  const [from = 0, to = 0] = [round?.before, round?.after].map((state) =>
    what === 'community'
      ? state?.community.stored.version
      : state?.community[what].get(id)?.version,
  );
  return from < version && version <= to;
}

/** Returns whether two events may have the same place: the later one is sent as what has become of something since. */
function isOfSame(one: Placed, other: Placed): boolean {
  if (Bun.deepEquals(one, other)) return true;
  const ids = new Set(subjectsOf(one));
  return subjectsOf(other).some((id) => ids.has(id));
}

function subjectsOf({ d }: Placed): readonly string[] {
  const of = (id: string | undefined) => (id === undefined ? [] : [id]);
  return [
    ...('ids' in d ? d.ids : []),
    ...('channel_id' in d ? of(d.channel_id) : []),
    ...('message_id' in d ? of(d.message_id) : []),
    ...('id' in d ? of(d.id) : []),
  ];
}

/** Finds what an answer has confirmed and the owner does not find, or the other way round. */
export async function missing({ now, ledger }: Rounds, owner: Person): Promise<readonly object[]> {
  const faults: object[] = [];
  for (const channel of now.channels) {
    const found = (await readMessages(owner, channel)).toReversed();
    const isSure = ({ content }: { readonly content: string }) => !ledger.isUnsure(content);
    const contents = found.filter(isSure).map(({ content }) => content);
    const expected = ledger.messagesOf(channel).filter(isSure);
    if (!Bun.deepEquals(contents, expected.map(contentOf))) {
      faults.push({ channel, contents, expected: expected.map(contentOf) });
    }
    for (const message of expected) {
      const stored = found.find(({ id }) => id === message.id);
      if (stored === undefined || message.isUncertain) continue;
      const reactions = (stored.reactions ?? []).map(({ emoji, count }) => `${emoji} ${count}`);
      const isSame = Bun.deepEquals(reactions.toSorted(), countsOf(message));
      if (!isSame || (stored.pinned === true) !== message.isPinned) {
        faults.push({ stored, message: { ...message, author: message.author.name } });
      }
    }
  }
  return faults;
}

function contentOf({ content }: Written): string {
  return content;
}

function countsOf({ reactions }: Written): readonly string[] {
  const byEmoji = Map.groupBy(reactions, (reaction) => reaction.split(' ')[0] ?? '');
  return Array.from(byEmoji, ([emoji, people]) => `${emoji} ${people.length}`).toSorted();
}
