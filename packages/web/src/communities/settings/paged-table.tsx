import type { ComponentChildren } from 'preact';
import { Loaded } from '../../conversation/loaded.tsx';
import { MoreButton } from '../more-button.tsx';
import type { Page } from '../page.ts';
import type { PagedList } from '../paged-list.ts';
import { useAct } from './use-act.ts';
import { useLoadedList } from './use-loaded-list.ts';
import { useNextLine, type NextLine } from './use-next-line.ts';
import { useSettingsText } from './use-settings-text.ts';

interface TableProps<Entry> {
  readonly list: PagedList<Entry>;
  /** The text if there are none. */
  readonly none: string;
  readonly lines?: NextLine;
  /** Why the last act failed, if entries can be acted on here. */
  readonly problem?: string | undefined;
  /** The line of an entry. */
  readonly children: (entry: Entry) => ComponentChildren;
}

/** The table of a settings page, which is loaded page by page. */
export function PagedTable<Entry>(props: TableProps<Entry>) {
  const { list, none, lines, children } = props;
  const { more } = useSettingsText();
  return (
    <>
      {'problem' in props && (
        <p class="problem" role="alert">
          {props.problem}
        </p>
      )}
      <Loaded asked={list.asked.value} onRetry={() => void list.load()}>
        {({ entries }) => (
          <>
            {entries.length === 0 && <p class="hint">{none}</p>}
            <ul ref={lines?.list ?? null} class="members">
              {entries.map(children)}
            </ul>
            <MoreButton list={list} label={more} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** A table whose lines go once something was decided about them; `read` must stay the same. */
export function useDecidedTable<Entry>(read: (cursor: string | undefined) => Promise<Page<Entry>>) {
  const list = useLoadedList(read);
  const lines = useNextLine();
  const act = useAct();
  const decide = (entry: Entry, request: () => Promise<unknown>) => {
    lines.leave();
    list.change((entries) => entries.filter((each) => each !== entry));
    void act.run(request).then((isDone) => {
      if (!isDone) void list.load();
    });
  };
  return { list, decide, table: { list, lines, problem: act.problem } };
}
