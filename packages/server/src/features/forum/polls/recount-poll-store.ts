import type { Id } from '@hearth/protocol';
import type { Writer } from '../../../ports/database/database.ts';

/** Counts the choices of the next poll again, and corrects it if it was wrong. */
export async function recountPoll(
  db: Writer,
  after: Id,
): Promise<{ readonly last: Id | undefined; readonly wrong: number }> {
  const poll = await db
    .selectFrom('polls')
    .select(['post_id', 'options', 'voters'])
    .where('post_id', '>', after)
    .orderBy('post_id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (poll === undefined) return { last: undefined, wrong: 0 };
  const rows = await db
    .selectFrom('poll_votes')
    .select((own) => ['options', own.fn.countAll<number | string>().as('count')])
    .where('post_id', '=', poll.post_id)
    .groupBy('options')
    .execute();
  const choices = rows.map(({ options, count }) => ({
    // Guarantee: ids are stored here as a list.
    chosen: JSON.parse(options) as readonly Id[],
    count: Number(count),
  }));
  const voters = choices.reduce((sum, { count }) => sum + count, 0);
  // Guarantee: options are stored here as a list.
  const before = JSON.parse(poll.options) as readonly { readonly id: Id }[];
  const options = JSON.stringify(
    before.map((option) => {
      const chose = choices.filter(({ chosen }) => chosen.includes(option.id));
      return { ...option, votes: chose.reduce((sum, { count }) => sum + count, 0) };
    }),
  );
  const isRight = options === poll.options && voters === Number(poll.voters);
  if (!isRight) {
    const right = { options, voters };
    await db.updateTable('polls').set(right).where('post_id', '=', poll.post_id).execute();
  }
  return { last: poll.post_id, wrong: Number(!isRight) };
}
