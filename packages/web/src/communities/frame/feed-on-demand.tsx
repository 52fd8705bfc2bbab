import { usePostViews } from '../../posts/use-post-views.ts';

/** The posts of the reader's communities. */
export function FeedOnDemand() {
  const views = usePostViews(true);
  return views === undefined ? <main class="page" /> : <views.FeedView />;
}
