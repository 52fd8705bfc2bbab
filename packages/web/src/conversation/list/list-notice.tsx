import { useShownPart } from '../use-shown-part.ts';
import { useText } from '../../text/use-text.ts';
import { HearthDrawing } from '../../ui/hearth-drawing.tsx';

/** The state of the messages above the first one. */
export function OlderNotice({ isEmpty }: { readonly isEmpty: boolean }) {
  const { messages } = useShownPart();
  const { conversation: text } = useText();
  const state = messages.older.value;
  if (isEmpty) return null;
  if (state === 'failed') {
    return (
      <p class="older-notice" role="status">
        {text.failedOlder}{' '}
        <button type="button" class="text-button" onClick={() => void messages.loadOlder()}>
          {text.tryAgain}
        </button>
      </p>
    );
  }
  if (state !== 'loading' && state !== 'more') return null;
  return <p class="older-notice older-loading">{text.loadingOlder}</p>;
}

/** Shown in the middle while there is no message. */
export function ListNotice({ isEmpty }: { readonly isEmpty: boolean }) {
  const { messages } = useShownPart();
  const { conversation: text } = useText();
  if (!isEmpty) return null;
  switch (messages.older.value) {
    case 'unknown':
    case 'loading':
      return <Skeletons label={text.loading} />;
    case 'failed':
      return (
        <div class="list-notice" role="status">
          <HearthDrawing isLit={false} />
          <p>{text.failed}</p>
          <button type="button" class="button" onClick={() => void messages.loadOlder()}>
            {text.tryAgain}
          </button>
        </div>
      );
    case 'unavailable':
      return <Empty title={text.liveTitle} words={text.liveText} />;
    case 'none':
    case 'more':
      return <Empty title={text.emptyTitle} words={text.emptyText} />;
  }
}

function Empty({ title, words }: { readonly title: string; readonly words: string }) {
  return (
    <div class="list-notice">
      <HearthDrawing isLit={true} />
      <h2>{title}</h2>
      <p>{words}</p>
    </div>
  );
}

/** Placeholders with the typical lengths of messages. */
const SKELETONS = [64, 40, 82, 55, 30, 70];

function Skeletons({ label }: { readonly label: string }) {
  return (
    <div class="skeletons">
      <p class="visually-hidden" role="status">
        {label}
      </p>
      {SKELETONS.map((width) => (
        <div key={width} class="skeleton-row" aria-hidden="true">
          <span class="skeleton skeleton-avatar" />
          <span class="skeleton-lines">
            <span class="skeleton skeleton-name" />
            <span class="skeleton" style={{ width: `${width}%` }} />
          </span>
        </div>
      ))}
    </div>
  );
}
