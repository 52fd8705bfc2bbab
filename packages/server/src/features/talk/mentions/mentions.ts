export { countMentions, findMentions } from './find-mentions.ts';
export {
  findNamed,
  mentionedPosts,
  type HasNamedPosts,
  type NamedPost,
  type NamingContext,
} from './named-posts.ts';
export { noteMentions } from './note-mentions.ts';
export { forgetMentions, forgetMentionsIn } from './store.ts';
export { resolveMentions, resolveNames } from './resolve-mentions.ts';
export {
  mayMention,
  mentionsText,
  storedMentions,
  subjectsOf,
  type Mentions,
} from './stored-mentions.ts';
