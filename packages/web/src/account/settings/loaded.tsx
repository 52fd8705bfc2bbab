import type { ComponentChildren } from 'preact';
import { describeError } from '../../conversation/describe-error.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import type { Asked } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';

interface LoadedProps<Value> {
  readonly asked: Asked<Value>;
  readonly onRetry: () => void;
  readonly children: (value: Value) => ComponentChildren;
}

/** What the instance was asked for, once it is there. */
export function Loaded<Value>({ asked, onRetry, children }: LoadedProps<Value>) {
  const { settings: words } = useAccountText();
  const text = useText();
  const formats = useFormats();
  switch (asked.state) {
    case 'loading':
      return (
        <p class="hint" role="status">
          {words.loading}
        </p>
      );
    case 'failed':
      return (
        <div class="settings-failed">
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
