import type { Id } from '@hearth/protocol';
import type { Rounds } from './rounds.ts';
import { readMessages, shownOf, type Placed } from './view.ts';
import type { Viewer } from './viewer.ts';

/** How long it may take until everyone shows what there is, in milliseconds. */
const MOST_MS = 20_000;
const PAUSE_MS = 20;

/** Resolves when every client shows exactly what it reads. Throws what differs if that takes too long. */
export async function untilAllShowWhatTheyRead(
  rounds: Rounds,
  viewers: readonly Viewer[],
): Promise<void> {
  const endAt = performance.now() + MOST_MS;
  for (;;) {
    const differences = (await Promise.all(viewers.map((each) => difference(rounds, each)))).flat();
    if (differences.length === 0) return;
    if (performance.now() > endAt) throw new Error(JSON.stringify(differences, null, 1));
    await Bun.sleep(PAUSE_MS);
  }
}

async function difference({ now }: Rounds, viewer: Viewer): Promise<readonly object[]> {
  const { person } = viewer;
  const shown = viewer.shown;
  if (shown === undefined) return [{ person: person.name, isReading: true }];
  const expected: Record<string, readonly string[]> = {};
  for (const id of now.channels) {
    if (!now.may(person.id, 'VIEW', id)) continue;
    expected[id] = shownOf(await readMessages(person, id));
  }
  const streams = now.streamsOf(person.id);
  return [
    ...(Bun.deepEquals(shown, expected) ? [] : [{ person: person.name, shown, expected }]),
    ...(Bun.deepEquals(viewer.streams, streams)
      ? []
      : [{ person: person.name, follows: viewer.streams, streams }]),
  ];
}

/** What is wrong with what the clients have received, in the order of each stream. */
export function faultsOf(
  { rounds, ledger }: Rounds,
  viewers: readonly Viewer[],
): readonly object[] {
  const faults: object[] = [];
  const known = new Map<string, Placed>();
  for (const { person, received } of viewers) {
    const newest = new Map<string, bigint>();
    for (const { stream, epoch, s, event } of received) {
      const place = `${stream} ${epoch} ${s}`;
      const other = known.get(place) ?? event;
      if (!isOfSame(event, other)) faults.push({ place, event, other });
      known.set(place, event);
      if (event.op !== 'MESSAGE_CREATE' && event.op !== 'MESSAGE_UPDATE') continue;
      if (!('channel_id' in event.d)) continue;
      const { id, channel_id: channel, content } = event.d;
      const round = rounds[ledger.roundOf(content) ?? -1];
      if (round === undefined) faults.push({ person: person.name, unknown: event });
      else if (![round.before, round.after].some((each) => each.may(person.id, 'VIEW', channel))) {
        faults.push({ person: person.name, hidden: event, round: ledger.roundOf(content) });
      }
      if (event.op === 'MESSAGE_UPDATE') continue;
      // After a stream was lost and is followed again, nothing comes twice.
      if ((newest.get(channel) ?? 0n) >= BigInt(id))
        faults.push({ person: person.name, late: event });
      newest.set(channel, BigInt(id));
    }
  }
  return faults;
}

/** Whether two events may have the same place: the later one is sent as what has become of a message since. */
function isOfSame(one: Placed, other: Placed): boolean {
  if (Bun.deepEquals(one, other)) return true;
  const ids = new Set(messagesOf(one));
  return messagesOf(other).some((id) => ids.has(id));
}

function messagesOf({ d }: Placed): readonly string[] {
  if ('ids' in d) return d.ids;
  if ('message_id' in d) return [d.message_id ?? ''];
  return 'id' in d ? [d.id] : [];
}

/** What an answer has confirmed and the owner does not find, or the other way round. */
export async function missing({ now, ledger }: Rounds, owner: Viewer): Promise<readonly object[]> {
  const faults: object[] = [];
  for (const channel of now.channels) {
    const found = (await readMessages(owner.person, channel)).toReversed();
    const isSure = (content: string) => !ledger.isUnsure(content);
    const contents = found.map(({ content }) => content).filter(isSure);
    const expected = ledger.contentsOf(channel as Id).filter(isSure);
    if (!Bun.deepEquals(contents, expected)) faults.push({ channel, contents, expected });
  }
  return faults;
}
