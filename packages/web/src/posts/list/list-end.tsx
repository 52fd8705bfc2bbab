import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useFailureText } from '../../communities/describe-failure.ts';
import { usePostText } from '../use-post-text.ts';
import type { ListLook } from './kept-look.ts';
import type { Loading } from './post-list.ts';

/** A list that is loaded page by page. */
interface Pages {
  readonly loading: ReadonlySignal<Loading>;
  readonly hasMore: ReadonlySignal<boolean>;
  more(): Promise<void>;
  renew(): Promise<void>;
}

interface EndProps {
  readonly list: Pages;
  /** The number of entries that are there. */
  readonly length: number;
}

/** The distance from the end at which the next page is asked for. */
const AHEAD = '1200px';

/** The next page is asked for before the reader is there. */
export function ListEnd({ list, length }: EndProps) {
  const words = usePostText();
  const describe = useFailureText();
  const end = useRef<HTMLDivElement>(null);
  const loading = list.loading.value;
  const hasMore = list.hasMore.value;
  // While something else is being read, nothing more is. The end is watched again after it.
  const isIdle = loading.state === 'idle';
  useEffect(() => {
    const element = end.current;
    if (element === null || !hasMore || !isIdle) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void list.more();
      },
      { root: element.closest('.page'), rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, hasMore, isIdle, length]);
  const retry = () => void (length === 0 ? list.renew() : list.more());
  return (
    <div class="post-list-end" ref={end}>
      {loading.state === 'failed' && (
        <>
          <p class="problem" role="alert">
            {words.failed} {describe(loading.error)}
          </p>
          <button type="button" class="button" onClick={retry}>
            {words.again}
          </button>
        </>
      )}
      {loading.state === 'loading' && length > 0 && <p class="hint">{words.loading}</p>}
      {hasMore && loading.state === 'idle' && (
        <button type="button" class="button" onClick={() => void list.more()}>
          {words.more}
        </button>
      )}
      {!hasMore && length > 8 && <p class="hint">{words.end}</p>}
    </div>
  );
}

/** Shows where posts will be. */
export function Skeletons({ look }: { readonly look: ListLook }) {
  const words = usePostText();
  return (
    <>
      <p class="visually-hidden" role="status">
        {words.loading}
      </p>
      {[0, 1, 2, 3, 4].map((at) => (
        <div key={at} class="post-skeleton skeleton" data-look={look} />
      ))}
    </>
  );
}
