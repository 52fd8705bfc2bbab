import type { ComponentChildren } from 'preact';
import type { Asked } from '../lib/asked.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { describeError } from './describe-error.ts';

interface LoadedProps<Value> {
  readonly asked: Asked<Value>;
  readonly onRetry: () => void;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows what the instance was asked for, once it is there. */
export function Loaded<Value>({ asked, onRetry, children }: LoadedProps<Value>) {
  const text = useText();
  const formats = useFormats();
  const { asked: words } = text.shell;
  switch (asked.state) {
    case 'loading':
      return (
        <p class="hint" role="status">
          {words.loading}
        </p>
      );
    case 'failed':
      return (
        <div class="load-failed">
          <p class="problem" role="alert">
            {words.failed} {describeError(asked.error, text, formats)}
          </p>
          <button type="button" class="button" onClick={onRetry}>
            {words.again}
          </button>
        </div>
      );
    case 'there':
      return <>{children(asked.value)}</>;
  }
}
