import { useFailureText } from './describe-failure.ts';
import type { PagedList } from './paged-list.ts';

interface MoreProps {
  readonly list: Pick<PagedList<unknown>, 'asked' | 'moreFailure' | 'loadMore'>;
  readonly label: string;
}

/** Loads the next page of a list, if there is one, and says why it could not be loaded. */
export function MoreButton({ list, label }: MoreProps) {
  const describe = useFailureText();
  const asked = list.asked.value;
  const failure = list.moreFailure.value;
  if (asked.state !== 'there' || asked.value.next === undefined) return null;
  return (
    <>
      <p class="problem" role="alert">
        {failure !== undefined && describe(failure)}
      </p>
      <button type="button" class="button more-button" onClick={() => void list.loadMore()}>
        {label}
      </button>
    </>
  );
}
