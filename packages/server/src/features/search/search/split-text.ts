import { foldText, type SplitWords } from '@hearth/protocol';
import { letOthersRun } from '../../../lib/let-others-run.ts';

/** Characters that are split before others run, if there is a place to divide the text. */
const CHARACTERS_A_TURN = 4_096;

/** A place where a text can be divided without other words than before. */
const BETWEEN_WORDS = /(?<=[ \t\n\r\u3000,!?;。、])(?=\p{L})/gu;

/** The words of a text, in its order. */
export async function wordsInTurns(text: string, split: SplitWords): Promise<readonly string[]> {
  const words: string[] = [];
  for (const part of partsOf(text)) {
    words.push(...split(foldText(part)));
    await letOthersRun();
  }
  return words;
}

/** Parts of a text, whose words are those of the whole text. */
export function partsOf(text: string, characters = CHARACTERS_A_TURN): readonly string[] {
  const parts: string[] = [];
  for (let begin = 0; begin < text.length;) {
    BETWEEN_WORDS.lastIndex = begin + characters;
    const end = BETWEEN_WORDS.exec(text)?.index ?? text.length;
    parts.push(text.slice(begin, end));
    begin = end;
  }
  return parts;
}
