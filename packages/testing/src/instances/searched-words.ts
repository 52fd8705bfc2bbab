/** Words in every thousandth text, and in every tenth. */
export const RARE_WORD = 'heron';
export const FREQUENT_WORD = 'evening';

/** The most frequent of the other words, which is in half of all texts. */
export const MOST_FREQUENT_WORD = wordOf(1);

/** The word after it. */
export const SECOND_WORD = wordOf(2);

/** A word in every text. */
export const COMMON_WORD = 'always';

/** Words of which each text has one. */
export const EITHER_WORD = ['heads', 'tails'] as const;

const WORDS = 20_000;
const WORDS_A_TEXT = 10;

/** Ten words, and sometimes one of those above. */
export function someText(random: () => number): string {
  const words = Array.from({ length: WORDS_A_TEXT }, () => wordOf(Math.floor(WORDS ** random())));
  // Not at the same place in every block.
  if (random() < 1 / 1_000) words.push(RARE_WORD);
  if (random() < 1 / 10) words.push(FREQUENT_WORD);
  return words.join(' ');
}

/** Thirteen words or a few more: the one in every text first, and one of {@link EITHER_WORD} last. */
export function longerText(random: () => number): string {
  const last = EITHER_WORD[random() < 1 / 2 ? 0 : 1];
  return `${COMMON_WORD} ${wordOf(Math.floor(WORDS ** random()))} ${someText(random)} ${last}`;
}

/** Returns a source of numbers from 0 to below 1, which are the same in every run. */
export function randomNumbers(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words are as frequent as in a language: the n-th occurs an n-th as often as the first. */
function wordOf(rank: number): string {
  return `${String.fromCharCode(97 + (rank % 26))}${rank.toString(36)}`;
}
