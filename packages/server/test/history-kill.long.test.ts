import { idParts, type Id, type LobbyMessage } from '@hearth/protocol';
import { lobbyMessageCreateSchema } from '@hearth/protocol/schemas';
import { expect, test } from 'bun:test';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readThrough } from '@hearth/testing/clients/history-client';
import {
  type HistoryInstance,
  startHistoryInstance,
} from '@hearth/testing/instances/history-instance';
import { tempFolder } from '@hearth/testing/temp-folder';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { until } from '@hearth/testing/until';
import { upload } from '@hearth/testing/clients/upload-form';

const POSTERS = 8;
/** After how many groups on the disk each kill comes. The exact moment depends on the machine. */
const KILLS = [1, 2, 1, 4, 3, 1, 6, 2];

/**
 * Returns whether no identifier is missing. Where a new second begins, this can be checked only by its first sequence,
 * which is 0.
 */
function isWhole(ids: readonly Id[]): boolean {
  return ids.every((id, index) => {
    const previous = ids[index - 1];
    if (previous === undefined || BigInt(id) === BigInt(previous) + 1n) return true;
    return idParts(id).seconds > idParts(previous).seconds && idParts(id).sequence === 0;
  });
}

const isAfter = (one: Id, other: Id | undefined) => BigInt(one) > BigInt(other ?? 0);

/** Posts one message after the other until the instance is gone. */
async function postOn({ addresses }: HistoryInstance, who: number): Promise<void> {
  for (let count = 0; ; count += 1) {
    const body = JSON.stringify({ author: `poster ${who}`, content: `message ${count}` });
    const sent = fetch(`${addresses.rest}/messages`, { method: 'POST', body });
    const isThere = await sent
      .then((answer) => answer.bytes())
      .then(
        () => true,
        () => false,
      );
    if (!isThere) return;
  }
}

/** Resolves with the newest message on the disk, as another process sees it, once this many groups have been written. */
async function groupsOnDisk(folder: string, count: number): Promise<Id> {
  await using owner = await openTestContext({ folder });
  const newestOf = async () => {
    const query = { after: undefined, before: undefined, limit: 1 };
    return (await owner.history.list(query))[0]?.id;
  };
  let newest = await newestOf();
  for (let seen = 0; seen < count; seen += 1) {
    const last = newest;
    await until(async () => (newest = await newestOf()) !== last);
  }
  if (newest === undefined) throw new Error('nothing is on the disk');
  return newest;
}

/** Kills an instance while clients post to it. Returns what clients were sent, and the newest message on the disk. */
async function killBusy(
  instance: HistoryInstance,
  folder: string,
  groups: number,
): Promise<{ readonly sent: readonly LobbyMessage[]; readonly written: Id }> {
  const client = await GatewayClient.connect(`${instance.addresses.gateway}/?v=1`);
  const posters = Array.from({ length: POSTERS }, (_, who) => postOn(instance, who));
  const written = await groupsOnDisk(folder, groups);
  await instance.kill();
  await Promise.all([...posters, client.closed]);
  const events = client.received
    .slice(1)
    .map((text) => lobbyMessageCreateSchema.parse(JSON.parse(text)));
  return { sent: events.map(({ d }) => d), written };
}

test.each([1_000_000, 300])(
  '[LB10] the history of an instance that keeps %d messages and is killed while busy is complete up to some message',
  async (messages) => {
    await using folder = await tempFolder();
    let file: string | undefined;
    /** The history up to the last kill, and what clients were sent before that. */
    let known: readonly LobbyMessage[] = [];
    let sent: readonly LobbyMessage[] = [];
    let written: Id | undefined;
    for (const groups of [...KILLS, 0]) {
      await using instance = await startHistoryInstance(folder.path, messages);
      const history = await readThrough(instance, 'oldest');
      // When it is killed, one message of each poster may be on the disk and not on the wire yet.
      const unsent = history.filter(({ id }) => isAfter(id, [...known, ...sent].at(-1)?.id));
      expect(unsent.length).toBeLessThanOrEqual(POSTERS);
      const dispatched = [...sent, ...unsent];
      expect(isWhole(dispatched.map(({ id }) => id))).toBe(true);
      const last = history.at(-1)?.id;
      const end = dispatched.findIndex(({ id }) => id === last) + 1;
      expect(history).toEqual([...known, ...dispatched.slice(0, end)].slice(-messages));
      const writtenAt = dispatched.findIndex(({ id }) => id === written);
      expect(writtenAt >= 0 || written === undefined).toBe(true);
      expect(end).toBeGreaterThan(writtenAt);
      const { files } = instance.addresses;
      if (file !== undefined) expect(await (await fetch(`${files}/${file}`)).text()).toBe('kept');
      if (groups === 0) break;
      file ??= (await upload(files, 'kept')).id;

      known = history;
      const before = dispatched.at(-1)?.id;
      ({ sent, written } = await killBusy(instance, folder.path, groups));
      expect(sent.every(({ id }) => isAfter(id, before))).toBe(true);
      expect(isAfter(written, before)).toBe(true);
    }
  },
);
