import { LostNotice } from '../../ui/lost-notice.tsx';
import { useViews } from '../../lib/views.ts';

/** Somebody, and what they have written. */
export function UserOnDemand({ username }: { readonly username: string }) {
  const views = useViews('posts');
  return views === undefined ? <Missing /> : <views.UserPage username={username} />;
}

/** The posts of the reader's communities. */
export function FeedOnDemand() {
  const views = useViews('posts');
  return views === undefined ? <Missing /> : <views.FeedView />;
}

function Missing() {
  return (
    <main class="page page-empty">
      <LostNotice views="posts" />
    </main>
  );
}
