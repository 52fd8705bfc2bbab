import type { Totals } from '@hearth/protocol';
import type { VoteValue } from './post-source.ts';

/** Something that people vote on. */
export type Votable = Totals & { readonly my_vote?: 1 | -1 };

/** The same as if the reader voted so. Hidden totals stay hidden. */
export function withVote<Subject extends Votable>(subject: Subject, value: VoteValue): Subject {
  const before = subject.my_vote ?? 0;
  const { my_vote: _, ...rest } = subject;
  const { score, upvotes, downvotes } = subject;
  const counted = (count: number, of: 1 | -1) =>
    Math.max(0, count + Number(value === of) - Number(before === of));
  // Guarantee: only the vote and the totals differ.
  return {
    ...rest,
    ...(value !== 0 && { my_vote: value }),
    ...(score !== undefined && { score: score + value - before }),
    ...(upvotes !== undefined && { upvotes: counted(upvotes, 1) }),
    ...(downvotes !== undefined && { downvotes: counted(downvotes, -1) }),
  } as Subject;
}

/** The same with these totals. */
export function withTotals<Subject extends Votable>(subject: Subject, totals: Totals): Subject {
  const { score: _1, upvotes: _2, downvotes: _3, scores_hidden_until: _4, ...rest } = subject;
  const { score, upvotes, downvotes, scores_hidden_until: hiddenUntil } = totals;
  // Guarantee: only the totals differ.
  return {
    ...rest,
    ...(score !== undefined && { score }),
    ...(upvotes !== undefined && { upvotes }),
    ...(downvotes !== undefined && { downvotes }),
    ...(hiddenUntil !== undefined && { scores_hidden_until: hiddenUntil }),
  } as unknown as Subject;
}

/** How a vote is shown and sent. */
export interface Casting {
  readonly value: VoteValue;
  readonly before: VoteValue;
  readonly show: (value: VoteValue) => void;
  readonly send: (value: VoteValue) => Promise<Totals>;
  readonly showTotals: (totals: Totals) => void;
  readonly fail: (error: unknown) => void;
}

interface Sending {
  wanted: VoteValue;
  /** What the instance has. */
  stored: VoteValue;
}

/**
 * Sends votes: each shows at once, and is taken back if it fails. Of several for the same subject, one is on its way at a time,
 * and the last one counts.
 */
export class VoteSender {
  readonly #sending = new Map<string, Sending>();

  /** Never rejects. */
  async cast(subject: string, casting: Casting): Promise<void> {
    const { value, before, show } = casting;
    show(value);
    const known = this.#sending.get(subject);
    if (known !== undefined) {
      known.wanted = value;
      return;
    }
    const sending: Sending = { wanted: value, stored: before };
    this.#sending.set(subject, sending);
    try {
      await sendWanted(sending, casting);
    } catch (error) {
      show(sending.stored);
      casting.fail(error);
    } finally {
      this.#sending.delete(subject);
    }
  }
}

async function sendWanted(sending: Sending, { send, showTotals }: Casting): Promise<void> {
  while (sending.wanted !== sending.stored) {
    const { wanted } = sending;
    const totals = await send(wanted);
    sending.stored = wanted;
    if (sending.wanted === wanted) showTotals(totals);
  }
}
