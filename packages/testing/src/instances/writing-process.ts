import type { Id } from '@hearth/protocol';
import { writeSync } from 'node:fs';
import type { Account } from '../../../server/src/actor.ts';
import { createComment } from '../../../server/src/features/forum/comments/create-comment.ts';
import { postMessage } from '../../../server/src/features/talk/messages/post-message.ts';
import { createPost } from '../../../server/src/features/forum/posts/create-post.ts';
import { votePost } from '../../../server/src/features/forum/voting/cast-vote.ts';
import type { InstanceContext } from '../../../server/src/instance-context.ts';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { communityTest } from '../communities.ts';
import { LineProcess } from '../line-process.ts';
import { countedIds } from '../ports/id-source.ts';
import { writeTogether } from '../ports/write-together.ts';
import { openTestDatabase, type TestDatabaseAddress } from '../servers/test-database.ts';

/** The messages that a process writes in one transaction, each person once, and the point at which it stops. */
export interface WritingOrder {
  readonly address: TestDatabaseAddress;
  readonly verb: keyof typeof VERBS;
  /** The post, or the channel of messages or posts. */
  readonly place: Id;
  /** The message to which they reply. */
  readonly replyTo?: Id;
  readonly people: readonly Account[];
  /** Before the commit, or after it and before anybody is answered. */
  readonly stopsAt: 'written' | 'committed';
}

/** The nonce of the comments, messages and posts, whose text or title is the id of their author. */
export const WRITTEN_NONCE = 'once';

const VERBS = {
  comment: (ctx: InstanceContext, person: Account, place: Id) =>
    createComment(ctx, person, { post_id: place, ...textOf(person) }),
  message: (ctx: InstanceContext, person: Account, place: Id, reply_to?: Id) =>
    postMessage(ctx, person, {
      ...{ channel_id: place, ...textOf(person) },
      ...(reply_to !== undefined && { reply_to }),
    }),
  post: (ctx: InstanceContext, person: Account, place: Id) => {
    const { content: title, nonce } = textOf(person);
    return createPost(ctx, person, { channel_id: place, title, nonce });
  },
  vote: (ctx: InstanceContext, person: Account, place: Id) =>
    votePost(ctx, person, { id: place, value: 1 }),
};

function textOf({ user_id: content }: Account) {
  return { content, nonce: WRITTEN_NONCE };
}

/** Starts a process that writes for several people in one transaction, says where it stops, and does nothing more. */
export function writingProcess(order: WritingOrder): LineProcess {
  return new LineProcess(import.meta.path, JSON.stringify(order));
}

/** Runs the process with its arguments. */
export async function run([given = '']: readonly string[]): Promise<void> {
  const order: WritingOrder = JSON.parse(given);
  const { address, verb, place, replyTo, people, stopsAt } = order;
  const own = await communityTest(async () => {
    const database = await openTestDatabase(address);
    const { engine } = address;
    const stopped = stopping(database, stopsAt);
    return { ...stopped, engine, address, openAgain: async () => database, unchecked: stopped };
  });
  // Those of the test have other numbers.
  const ids = countedIds({ number: 1, of: 2 });
  const verbs = people.map((person) => (database: typeof own.ctx.database) => {
    const ctx = { ...own.ctx, database, ids };
    return VERBS[verb](ctx, person, place, replyTo);
  });
  await writeTogether<unknown>(own.ctx.database, verbs);
}

/** A database that stops the process in its first transaction. */
function stopping(database: Database, stopsAt: WritingOrder['stopsAt']): Database {
  const stop = () => {
    writeSync(1, `${stopsAt}\n`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction(
        async (tx) => {
          const result = await work(tx);
          if (stopsAt === 'written') stop();
          return result;
        },
        {
          ...options,
          onCommit() {
            if (stopsAt === 'committed') stop();
            options?.onCommit?.();
          },
        },
      ),
  };
}

if (import.meta.main) void run(process.argv.slice(2));
