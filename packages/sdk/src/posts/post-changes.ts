import type { Totals, Voted } from '@hearth/protocol';
import type { ReceivedComment, ReceivedPost } from '@hearth/protocol/received-posts';

/** A post as an event shows it, with what events leave out: what depends on the reader. An older version changes nothing. */
export function withNewer(
  known: ReceivedPost | undefined,
  event: ReceivedPost,
): ReceivedPost | undefined {
  if (known === undefined || known.version >= event.version) return known;
  const { my_vote, saved, new_comments, poll } = known;
  return {
    ...event,
    ...(my_vote === undefined ? {} : { my_vote }),
    ...(saved === undefined ? {} : { saved }),
    ...(new_comments === undefined ? {} : { new_comments }),
    // Its options never change, and its votes depend on the reader.
    ...(poll === undefined ? {} : { poll }),
  };
}

/** With these totals, which are no longer hidden if they are given. */
export function withTotals<Subject extends ReceivedPost | ReceivedComment>(
  subject: Subject,
  totals: Totals,
): Subject {
  const { score, scores_hidden_until: hiddenUntil } = totals;
  if (score === undefined && hiddenUntil === undefined) return subject;
  const next = { ...subject, ...totals };
  // They are either hidden or shown.
  if (score !== undefined) delete next.scores_hidden_until;
  return next;
}

/** Returns what the reader has voted for, as the answer shows it. */
export function voted<Subject extends ReceivedPost | ReceivedComment>(
  subject: Subject,
  answer: Voted,
): Subject {
  const { my_vote, ...totals } = answer;
  const { my_vote: _before, ...rest } = withTotals(subject, totals);
  // Guarantee: only the reader's vote was left out, which may be missing.
  return { ...rest, ...(my_vote === undefined ? {} : { my_vote }) } as Subject;
}
