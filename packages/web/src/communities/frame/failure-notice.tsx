import { CloseIcon } from '../../ui/icons.tsx';
import { useFailureText } from '../describe-failure.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';

/** Says why something that was shown at once has failed. It is there before it has anything to say, for screen readers. */
export function FailureNotice() {
  const { failure } = useCommunities();
  const { frame: words } = useCommunityText();
  const describe = useFailureText();
  const error = failure.value;
  return (
    <div class="failure-notice" role="alert">
      {error !== undefined && (
        <>
          <p>{words.notDone(describe(error))}</p>
          <button
            type="button"
            class="icon-button"
            aria-label={words.dismiss}
            onClick={() => {
              failure.value = undefined;
            }}
          >
            <CloseIcon />
          </button>
        </>
      )}
    </div>
  );
}
