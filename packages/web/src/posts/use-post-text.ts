import { dePosts } from '../text/de/posts.ts';
import { enPosts } from '../text/en/posts.ts';
import { useLanguage } from '../text/use-text.ts';

/** The texts about posts. */
export type PostText = typeof enPosts;

const TEXTS = { en: enPosts, de: dePosts } as const;

/** The texts about posts in the current language. They come with the views, in all languages. */
export function usePostText(): PostText {
  return TEXTS[useLanguage()];
}
