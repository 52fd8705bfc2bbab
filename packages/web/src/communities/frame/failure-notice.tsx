import { CloseIcon } from '../../ui/icons.tsx';
import { useFailureText } from '../describe-failure.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { farewellOf } from './gone.tsx';

/**
 * Says why something that was shown at once has failed, or which community the reader has no more. It is there before it has
 * anything to say, for screen readers.
 */
export function FailureNotice() {
  const { failure, removals } = useCommunities();
  const words = useCommunityText();
  const describe = useFailureText();
  const error = failure.value;
  const removed = removals.unseen.value;
  const dismiss = () => {
    if (error !== undefined) failure.value = undefined;
    else if (removed !== undefined) removals.see(removed);
  };
  return (
    <div class="failure-notice" role="alert">
      {(error !== undefined || removed !== undefined) && (
        <>
          {error !== undefined && <p>{words.frame.notDone(describe(error))}</p>}
          {error === undefined && removed !== undefined && <p>{farewellOf(removed, words)}</p>}
          <button
            type="button"
            class="icon-button"
            aria-label={words.frame.dismiss}
            onClick={dismiss}
          >
            <CloseIcon />
          </button>
        </>
      )}
    </div>
  );
}
