import { compareIds, formatId, MOST_SEARCH_CANDIDATES, type Id } from '@hearth/protocol';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import { hitsIn } from './hits-in.ts';
import type { LookedUp } from './index-words.ts';
import {
  selectBlocksBefore,
  selectEntriesAt,
  selectEntriesBefore,
  type Block,
  type Located,
} from './store.ts';

/** Candidates that are read at once, so that others have to wait for a few milliseconds only. */
const PAGE = 64;

/** Positions that are looked up one by one. For more, the entries of the block are read, the newest first. */
const MOST_LOOKED_UP = 512;

/** Blocks that are read at most at once. */
const MOST_BLOCKS = 32;

/** The next blocks are as many as have so many candidates, if they are like those that were read. */
const AIM = 64;

/** Comes after everything that can be searched. */
const LAST_ID: Id = formatId({ seconds: Number.MAX_SAFE_INTEGER, instanceId: 0, sequence: 0 });

/** The next entries that may be what is searched, the newest first. */
export interface Candidates {
  readonly entries: readonly Located[];
  /** The number of rows of the index that were read to find them. */
  readonly cost: number;
  /** Every entry with this id or a newer one was read. */
  readonly reached: Id;
}

/** A search for candidates. */
export interface Hunt {
  readonly reader: Reader;
  /** The number of the index. */
  readonly index: number;
  readonly lookedUp: LookedUp;
  readonly after: Id | undefined;
  readonly before: Id | undefined;
  /** Returns the number of entries that are still wanted. */
  readonly left: () => number;
}

/** All entries that may be what is searched, the newest first. */
export async function* candidates(hunt: Hunt): AsyncGenerator<Candidates, void> {
  const { reader, index, lookedUp, after = NO_ID, left } = hunt;
  let before = hunt.before ?? LAST_ID;
  let [wanted, read, count, factor] = [1, 0, 0, 1];
  for (;;) {
    const blocks = await selectBlocksBefore(reader, index, { before, count: Math.floor(wanted) });
    const last = blocks.at(-1);
    if (last === undefined) return;
    const numbers = blocks.map(({ block }) => block);
    const { hits, cost: rows } = await hitsIn(reader, numbers, lookedUp);
    // A block that is filled meanwhile begins with a smaller id, and is read again then.
    const firstIds = new Map(blocks.map(({ block, firstId }) => [block, firstId]));
    let cost = rows;
    for (const part of partsOf(blocks, hits)) {
      for await (const entries of entriesAt(reader, part, { after, before, firstIds })) {
        for (let done = 0; done < entries.length;) {
          const some = left();
          const page = entries.slice(done, done + Math.min(PAGE, some * factor));
          const end = page.at(-1);
          if (end === undefined) break;
          done += page.length;
          count += page.length;
          yield { entries: page, cost, reached: end.id };
          cost = 0;
          // The index names more than what is searched if a phrase is.
          factor = left() <= some - page.length ? 1 : factor * 2;
          await letOthersRun();
        }
      }
    }
    before = last.firstId;
    if (compareIds(before, after) <= 0) return;
    yield { entries: [], cost, reached: before };
    read += blocks.length;
    const affordable = (MOST_SEARCH_CANDIDATES * blocks.length) / (rows + 1);
    wanted = Math.max(1, Math.min(MOST_BLOCKS, affordable, (AIM * read) / (count + 1)));
    await letOthersRun();
  }
}

/** Blocks whose hits are read together, by block. */
type Part = ReadonlyMap<number, readonly number[]>;

/** Blocks that follow each other, so that one part has few positions, or blocks that begin with the same id. */
function partsOf(
  blocks: readonly Block[],
  hits: ReadonlyMap<number, Uint16Array>,
): readonly Part[] {
  const parts: { readonly part: Map<number, readonly number[]>; count: number; firstId: Id }[] = [];
  for (const { block, firstId } of blocks) {
    const positions = [...(hits.get(block) ?? [])];
    if (positions.length === 0) continue;
    const last = parts.at(-1);
    if (
      last !== undefined &&
      (last.firstId === firstId || last.count + positions.length <= MOST_LOOKED_UP)
    ) {
      last.part.set(block, positions);
      last.count += positions.length;
      last.firstId = firstId;
    } else {
      parts.push({ part: new Map([[block, positions]]), count: positions.length, firstId });
    }
  }
  return parts.map(({ part }) => part);
}

/** The range of a search, and the ids with which its blocks began when they were read. */
interface Range {
  readonly after: Id;
  readonly before: Id;
  readonly firstIds: ReadonlyMap<number, Id>;
}

/** The entries at positions of some blocks in a range, the newest first. */
async function* entriesAt(
  reader: Reader,
  part: Part,
  { after, before, firstIds }: Range,
): AsyncGenerator<readonly Located[], void> {
  const isWithin = ({ block, id }: Located) =>
    compareIds(id, before) < 0 &&
    compareIds(id, after) > 0 &&
    compareIds(id, firstIds.get(block) ?? NO_ID) >= 0;
  const count = part.values().reduce((sum, positions) => sum + positions.length, 0);
  if (count <= MOST_LOOKED_UP) {
    const found: Located[] = [];
    for (const [block, positions] of part) {
      found.push(...(await selectEntriesAt(reader, block, positions)));
    }
    yield found.filter(isWithin).toSorted((one, other) => compareIds(other.id, one.id));
    return;
  }
  const isHit = new Map(Array.from(part, ([block, positions]) => [block, new Set(positions)]));
  for (let end = before; ;) {
    const range = { before: end, limit: MOST_LOOKED_UP };
    const entries = await selectEntriesBefore(reader, [...part.keys()], range);
    yield entries.filter((entry) => isHit.get(entry.block)?.has(entry.position) && isWithin(entry));
    const last = entries.at(-1);
    if (last === undefined || entries.length < MOST_LOOKED_UP) return;
    if (compareIds(last.id, after) <= 0) return;
    end = last.id;
  }
}
