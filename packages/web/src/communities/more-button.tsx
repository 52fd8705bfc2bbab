import { describeError } from '../conversation/describe-error.ts';
import { useFormats, useText } from '../text/use-text.ts';
import type { PagedList } from './paged-list.ts';

interface MoreProps {
  readonly list: Pick<PagedList<unknown>, 'asked' | 'moreFailure' | 'loadMore'>;
  readonly label: string;
}

/** Loads the next page of a list, if there is one, and says why it could not be loaded. */
export function MoreButton({ list, label }: MoreProps) {
  const text = useText();
  const formats = useFormats();
  const asked = list.asked.value;
  const failure = list.moreFailure.value;
  if (asked.state !== 'there' || asked.value.next === undefined) return null;
  return (
    <>
      <p class="problem" role="alert">
        {failure !== undefined && describeError(failure, text, formats)}
      </p>
      <button type="button" class="button more-button" onClick={() => void list.loadMore()}>
        {label}
      </button>
    </>
  );
}
