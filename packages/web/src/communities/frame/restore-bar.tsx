import { useState } from 'preact/hooks';
import type { Community } from '@hearth/protocol';
import { RESTORABLE_MS } from '@hearth/protocol/schemas';
import { useFormats } from '../../text/use-text.ts';
import { useFailureText } from '../describe-failure.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';

/** Says that a community was deleted, and brings it back; only its owner sees that. */
export function RestoreBar({ community }: { readonly community: Community }) {
  const communities = useCommunities();
  const { restore: words } = useCommunityText();
  const describe = useFailureText();
  const formats = useFormats();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { id, slug, name, deleted_at: deletedAt = 0 } = community;
  const restore = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await communities.requests.restore(id);
      await communities.shown.visit(slug);
    } catch (error) {
      setProblem(describe(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <section class="join-bar" aria-label={words.title(name)}>
      <p>
        <strong>{words.title(name)}</strong> {words.text(formats.moment(deletedAt + RESTORABLE_MS))}
      </p>
      <button
        type="button"
        class="button button-primary"
        aria-disabled={isBusy}
        onClick={() => {
          if (!isBusy) void restore();
        }}
      >
        {words.restore}
      </button>
      <p class="problem" role="alert">
        {problem}
      </p>
    </section>
  );
}
