import { useMarkdownCache } from '../markdown/use-markdown.ts';
import type { RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { LightboxOnDemand } from '../attachments/lightbox-on-demand.tsx';
import { useText } from '../../text/use-text.ts';
import { MessageMenuOnDemand } from '../actions/message-menu-on-demand.tsx';
import { useMessageMenu } from '../actions/use-message-menu.ts';
import type { Selection } from '../changes/selection.ts';
import { ActingOnDemand } from '../changes/acting-on-demand.tsx';
import { useConversation } from '../use-conversation.ts';
import { useShownPart } from '../use-shown-part.ts';
import { DayHint } from './day-hint.tsx';
import { JumpButton } from './jump-button.tsx';
import { NewBar } from '../reading/new-bar.tsx';
import { KeptNotice } from './kept-notice.tsx';
import { ListNotice, OlderNotice } from './list-notice.tsx';
import { RowView } from './row-view.tsx';
import { useEndAnchor } from './use-end-anchor.ts';
import { useMessageFocus } from './use-message-focus.ts';
import { useRemovals } from './use-removals.ts';
import { useSoughtMessage } from './use-sought-message.ts';
import { useRowList, type RowList } from './use-row-list.ts';
import { ownKeys } from '../../ui/own-keys.ts';

/** The messages of a conversation, from the oldest known to the newest. Fills its parent and scrolls by itself. */
export function MessageList() {
  const { draft, selection } = useConversation();
  const { conversation: text } = useText();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRowList(scroller);
  const { rows, virtualizer } = list;
  const { isAtEnd, isLive, jump } = useEndAnchor(virtualizer, rows);
  const sought = useSoughtMessage(list);
  const { isClosingUp, announcement } = useRemovals(scroller);
  const isEmpty = rows.length === 0;
  useLostFocus(scroller);
  const menu = useMessageMenu(rows);
  const moveFocus = useMessageFocus(list);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const isMoved = menu.onKey(event) || moveFocus(event);
    if (isMoved || chooseByKey(event, selection) || scrollByKeys(event)) event.preventDefault();
    else if (event.key === 'Escape' && !event.defaultPrevented) {
      jump();
      draft.resume();
    }
  };
  return (
    <div class="message-list">
      <div
        ref={scroller}
        class="message-scroller"
        role="log"
        tabIndex={0}
        aria-label={text.messages}
        aria-live={isLive && !isClosingUp ? 'polite' : 'off'}
        aria-relevant="additions"
        onKeyDown={ownKeys(onKeyDown)}
        onClick={menu.onClick}
        onContextMenu={menu.onContextMenu}
        onPointerDown={menu.onPointerDown}
      >
        <div class="rows" style={{ height: `${virtualizer.getTotalSize()}px` }}>
          <OlderNotice isEmpty={isEmpty} />
          <Rows list={list} soughtKey={sought.key} />
        </div>
      </div>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      {sought.problem !== undefined && (
        <p class="missing-notice" role="status">
          {sought.problem === 'failed' ? text.failed : text.messageMissing}
        </p>
      )}
      <KeptNotice isAtEnd={isAtEnd} />
      <ListNotice isEmpty={isEmpty} />
      <NewBar list={list} />
      {!isAtEnd && <DayHint list={list} />}
      <JumpButton isAtEnd={isAtEnd} onJump={jump} />
      <MessageMenuOnDemand menu={menu} />
      <ActingOnDemand />
      <LightboxOnDemand />
    </div>
  );
}

/** Another list had the focus, and is gone. */
function useLostFocus(scroller: RefObject<HTMLElement | null>): void {
  const { number } = useShownPart();
  useEffect(() => {
    if (number > 0 && document.activeElement === document.body) {
      scroller.current?.focus({ preventScroll: true });
    }
  }, [scroller, number]);
}

/** While messages are chosen: Space chooses the one that has the focus, and Escape ends it. */
function chooseByKey(
  { key, target }: TargetedKeyboardEvent<HTMLElement>,
  selection: Selection | undefined,
): boolean {
  if (selection?.ids.peek() === undefined || !(target instanceof Element)) return false;
  if (key === 'Escape') selection.end();
  else if (key === ' ' && target.matches('.message')) {
    target.querySelector<HTMLElement>('.select-box input')?.click();
  } else return false;
  return true;
}

/** The part of the view that a page key scrolls by. */
const PAGE = 0.875;

/** The list corrects its position while rows are drawn, which would interrupt the browser's own scrolling by keys. */
function scrollByKeys(event: TargetedKeyboardEvent<HTMLElement>): boolean {
  const { key, currentTarget, target } = event;
  const isOnList = target instanceof Element && target.matches('.message, .message-scroller');
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  const distance = distanceOf(key, currentTarget);
  if (!isOnList || !isPlain || distance === undefined) return false;
  currentTarget.scrollBy({ top: distance, behavior: 'instant' });
  return true;
}

function distanceOf(key: string, { clientHeight, scrollHeight }: Element): number | undefined {
  switch (key) {
    case 'PageUp':
      return -PAGE * clientHeight;
    case 'PageDown':
      return PAGE * clientHeight;
    case 'Home':
      return -scrollHeight;
    case 'End':
      return scrollHeight;
    default:
      return undefined;
  }
}

interface RowsProps {
  readonly list: RowList;
  readonly soughtKey: string | undefined;
}

function Rows({ list, soughtKey }: RowsProps) {
  const { rows, virtualizer } = list;
  const markdown = useMarkdownCache();
  return (
    <>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const row = rows[index];
        return row === undefined ? null : (
          <div
            key={key}
            class="row"
            data-index={index}
            data-key={key}
            data-sought={key === soughtKey || undefined}
            ref={virtualizer.measureElement}
            style={{ transform: `translateY(${start}px)` }}
          >
            <RowView row={row} markdown={markdown} />
          </div>
        );
      })}
    </>
  );
}
