import type { AppState } from '../../app/app-state.ts';

/** The picture after or before that one in the lobby, among those that are known and not hidden. */
export function nextPicture(
  { attachments, lobby }: Pick<AppState, 'attachments' | 'lobby'>,
  id: string,
  step: 1 | -1,
): string | undefined {
  const ids = lobby.entries
    .peek()
    .flatMap((entry) => (entry.kind === 'message' ? attachments.split(entry.content).ids : []));
  const isShown = (each: string) => {
    const load = attachments.data(each).peek();
    if (each === id || load.state !== 'ready' || load.data.metadata.type !== 'image') return false;
    return load.data.spoiler !== true || attachments.revealed.peek().has(each);
  };
  const at = ids.indexOf(id);
  return step === 1
    ? ids.slice(at + 1).find(isShown)
    : ids.slice(0, Math.max(0, at)).findLast(isShown);
}
