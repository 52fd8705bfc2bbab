import { expect, test } from 'bun:test';
import type { Totals } from '@hearth/protocol';
import type { VoteValue } from './post-source.ts';
import { VoteSender, withTotals, withVote, type Votable } from './votes.ts';

const TOTALS: Votable = { score: 3, upvotes: 5, downvotes: 2 };

test('[WC183] a vote changes the totals by the difference, and hidden ones stay hidden', () => {
  const up = withVote(TOTALS, 1);
  expect(up).toEqual({ score: 4, upvotes: 6, downvotes: 2, my_vote: 1 });
  expect(withVote(up, -1)).toEqual({ score: 2, upvotes: 5, downvotes: 3, my_vote: -1 });
  expect(withVote(up, 0)).toEqual(TOTALS);
  const hidden: Votable = { scores_hidden_until: 9 };
  expect(withVote(hidden, 1)).toEqual({ scores_hidden_until: 9, my_vote: 1 });
  expect(withTotals(up, { scores_hidden_until: 9 })).toEqual({
    scores_hidden_until: 9,
    my_vote: 1,
  });
});

interface Sent {
  readonly value: VoteValue;
  readonly answer: PromiseWithResolvers<Totals>;
}

function sender() {
  const sent: Sent[] = [];
  const seen: unknown[] = [];
  const votes = new VoteSender();
  const cast = (value: VoteValue, before: VoteValue = 0) =>
    votes.cast('7', {
      value,
      before,
      show: (shown) => seen.push(shown),
      send: (each) => {
        const answer = Promise.withResolvers<Totals>();
        sent.push({ value: each, answer });
        return answer.promise;
      },
      showTotals: (totals) => seen.push(totals),
      fail: (error) => seen.push(error),
    });
  return { sent, seen, cast };
}

test('[WC183] a vote shows at once, and is taken back if it fails', async () => {
  const { sent, seen, cast } = sender();
  const done = cast(1);
  expect(seen).toEqual([1]);
  const error = new Error('no');
  sent[0]?.answer.reject(error);
  await done;
  expect(seen).toEqual([1, 0, error]);
});

test('[WC183] a single one of several votes in a row is on its way at a time, and the last one counts', async () => {
  const { sent, seen, cast } = sender();
  const done = cast(1);
  void cast(0);
  void cast(-1);
  expect(sent.map(({ value }) => value)).toEqual([1]);
  sent[0]?.answer.resolve({ score: 1 });
  await Promise.resolve();
  await Promise.resolve();
  expect(sent.map(({ value }) => value)).toEqual([1, -1]);
  sent[1]?.answer.resolve({ score: -1 });
  await done;
  expect(seen).toEqual([1, 0, -1, { score: -1 }]);
});
