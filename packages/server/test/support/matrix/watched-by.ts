import { AccountClient } from '@hearth/testing/clients/account-client';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { messageBy, UNSEEING, type Caller, type Cast, type Place } from './cast.ts';

const ABSENT = ['997', '998'] as const;

/** An answer, and the queries for it. */
interface Answered {
  readonly answer: unknown;
  readonly queries: readonly string[];
}

/**
 * Resolves with what each caller is answered who watches a channel and a post that they do not see, and ones that do
 * not exist. All of them have asked before.
 */
export async function watchedBy(
  {
    gateway,
    cast,
    place,
  }: {
    readonly gateway: Pick<TestInstance, 'addresses'>;
    readonly cast: Cast;
    readonly place: Place;
  },
  takeQueries: () => readonly string[],
): Promise<readonly (readonly [Caller, hidden: Answered, absent: Answered])[]> {
  const post = place.posts.get(messageBy('owner', place.secretPosts))?.post ?? ABSENT[1];
  const asked = [
    { channels: [place.secret], posts: [post] },
    { channels: [ABSENT[0]], posts: [ABSENT[1]] },
  ];
  const answers: (readonly [Caller, Answered, Answered])[] = [];
  for (const caller of UNSEEING) {
    const token = cast.tokens[caller];
    using client = await AccountClient.enter(gateway, token === '' ? {} : { token });
    let count = 0;
    const watch = async (d: object | undefined): Promise<Answered> => {
      takeQueries();
      client.raw.sendText(JSON.stringify({ op: 'WATCH', d }));
      await client.until('WATCHED', (count += 1));
      const answer = client.payloads.findLast(({ op }) => op === 'WATCHED');
      return { answer, queries: takeQueries() };
    };
    await watch(asked[0]);
    answers.push([caller, await watch(asked[0]), await watch(asked[1])]);
  }
  return answers;
}
