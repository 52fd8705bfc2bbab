import type { Channel, ChannelOrder, ChannelStub } from '@hearth/protocol';
import { channelTree } from '../channel-tree.ts';

/** A channel or category as a line of a list. */
export interface ChannelRow {
  readonly key: string;
  readonly name: string;
  readonly channel: ChannelStub;
}

/** Channels and categories as one list: what follows a category is in it. */
export function rowsOf(channels: readonly ChannelStub[]): readonly ChannelRow[] {
  return channelTree(channels)
    .flatMap(({ category, channels: inside }) =>
      category === undefined ? inside : [category, ...inside],
    )
    .map((channel) => ({ key: channel.id, name: channel.name, channel }));
}

/**
 * The list after a line has moved. A category takes its channels with it, past whole other categories: down once it reaches
 * the last channel of one, and up once it reaches the line of one.
 */
export function moveChannelRow(
  rows: readonly ChannelRow[],
  from: number,
  to: number,
): readonly ChannelRow[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length || from === to) return rows;
  if (row.channel.kind !== 'category') return moveRow(rows, from, to);
  const end = blockEnd(rows, from);
  const starts = rows.flatMap(({ channel }, at) => (channel.kind === 'category' ? [at] : []));
  const target =
    to > from
      ? starts.map((start) => blockEnd(rows, start)).findLast((at) => at > end && at - 1 <= to)
      : starts.find((start) => start >= to && start < from);
  return target === undefined ? rows : moveBlock(rows, { from, end, to: target });
}

/** The order for the instance. */
export function orderOf(rows: readonly ChannelRow[]): ChannelOrder {
  let category: Channel['id'] | undefined;
  const order = rows.map(({ channel: { id, kind } }) => {
    if (kind === 'category') category = id;
    const isInside = kind !== 'category' && category !== undefined;
    return isInside ? { id, category_id: category } : { id };
  });
  return { order };
}

/** The list after a line has moved, whatever it is. */
export function moveRow<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length || from === to) return rows;
  return rows.toSpliced(from, 1).toSpliced(to, 0, row);
}

/** Returns where the channels of the category at `start` end. */
function blockEnd(rows: readonly ChannelRow[], start: number): number {
  const next = rows.findIndex(({ channel }, at) => at > start && channel.kind === 'category');
  return next === -1 ? rows.length : next;
}

interface Block {
  readonly from: number;
  readonly end: number;
  /** Before the line that is there now. */
  readonly to: number;
}

function moveBlock(rows: readonly ChannelRow[], { from, end, to }: Block): readonly ChannelRow[] {
  const block = rows.slice(from, end);
  const rest = [...rows.slice(0, from), ...rows.slice(end)];
  const at = to > from ? to - block.length : to;
  return rest.toSpliced(at, 0, ...block);
}
