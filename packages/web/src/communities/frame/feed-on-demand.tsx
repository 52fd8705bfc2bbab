import { usePostViews } from '../../posts/use-post-views.ts';

/** Somebody, and what they have written. */
export function UserOnDemand({ username }: { readonly username: string }) {
  const views = usePostViews(true);
  return views === undefined ? <main class="page" /> : <views.UserPage username={username} />;
}

/** The posts of the reader's communities. */
export function FeedOnDemand() {
  const views = usePostViews(true);
  return views === undefined ? <main class="page" /> : <views.FeedView />;
}
