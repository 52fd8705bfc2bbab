import { expect, test } from 'bun:test';
import { communityTest } from './communities.ts';
import { onEachDatabase } from './servers/each-database.ts';
import { until } from './until.ts';

onEachDatabase((open, engine) => {
  test('another process has memory, identifiers and connections of its own', async () => {
    await using own = await communityTest(open);
    const other = await own.another();
    expect(other.communities).not.toBe(own.ctx.communities);
    const ids = [own.ctx, other, own.ctx, other].map(({ ids: source }) => source.next());
    expect(new Set(await Promise.all(ids)).size).toBe(4);
    await other[Symbol.asyncDispose]();
    expect(await other.database.transaction(async () => 'done').catch(() => 'ended')).toBe('ended');
    expect(await own.ctx.database.transaction(async () => 'done')).toBe('done');
  });

  test('another process serves beside the first one if the engine allows it', async () => {
    await using own = await communityTest(open);
    await using other = await own.anotherServer();
    expect(other.communities === own.ctx.communities).toBe(engine === 'sqlite');
    expect(other.database === own.ctx.database).toBe(engine === 'sqlite');
  });

  test('a deaf process hears of no change', async () => {
    await using own = await communityTest(open);
    const ada = await own.person('ada');
    const { id } = await own.garden(ada);
    await using deaf = await own.another({ isDeaf: true });
    await using hearing = await own.another();
    const known = await Promise.all([deaf, hearing].map((each) => each.communities.read(id)));
    await own.database.transaction(async (tx) => tx.changed('communities', id));
    await until(async () => hearing.communities.peek(id) === undefined);
    expect(known[0] !== undefined && deaf.communities.peek(id) === known[0]).toBe(true);
  });
});
