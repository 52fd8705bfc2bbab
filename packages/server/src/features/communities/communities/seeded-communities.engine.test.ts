import { addUsers } from '@hearth/testing/instances/many-users';
import { seedCommunities, seededMessage } from '@hearth/testing/instances/seeded-communities';
import { communityTest } from '@hearth/testing/communities';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { readCommunity } from '../structure/known-communities.ts';

onEachDatabase((open) => {
  test('what benchmarks seed is a community whose channel has messages in their order', async () => {
    await using own = await communityTest(open);
    await addUsers(own.database, 4);
    const seeded = await seedCommunities(own.database, {
      communities: 2,
      members: 2,
      messages: 30,
    });
    for (const { id, channel } of seeded) {
      const community = await readCommunity(own.database.reader, id);
      expect(community?.stored).toMatchObject({ id, memberCount: 2, visibility: 'private' });
      expect(community?.channelById.get(channel)).toMatchObject({ lastId: seededMessage(30) });
      const rows = await own.database.reader
        .selectFrom('channel_messages')
        .select('id')
        .where('channel_id', '=', channel)
        .where('id', '>=', seededMessage(9))
        .orderBy('id')
        .execute();
      const numbers = Array.from({ length: 22 }, (_, at) => seededMessage(at + 9));
      expect(rows.map((row) => row.id)).toEqual(numbers);
    }
  });
});
