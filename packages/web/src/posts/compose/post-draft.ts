import {
  parseId,
  parseUrl,
  type Id,
  type NewPost,
  type Post,
  type PostChange,
} from '@hearth/protocol';
import {
  MOST_OPTION_CHARACTERS,
  MOST_POST_CHARACTERS,
  MOST_POST_TAGS,
  MOST_TITLE_CHARACTERS,
  MOST_URL_CHARACTERS,
  POLL_DURATION_MS,
  POLL_OPTIONS,
} from '@hearth/protocol/schemas';
import { countCodePoints, UNSAFE_CHARACTERS, type FileData } from '@hearth/sdk';
import { typedText } from '../../lib/typed-text.ts';

/** A file that was uploaded for a post. */
export interface DraftFile {
  readonly id: Id;
  readonly data: FileData;
  /** A description of it for people who do not see it. */
  readonly alt: string;
}

/** A poll while it is written. */
export interface DraftPoll {
  readonly options: readonly string[];
  readonly isMultiple: boolean;
  /** The time in hours that it lasts from when it is posted. */
  readonly hours: number;
}

/** A post while it is written. */
export interface PostDraft {
  readonly title: string;
  readonly content: string;
  readonly url: string;
  readonly tags: readonly Id[];
  readonly isSpoiler: boolean;
  readonly isSensitive: boolean;
  readonly poll: DraftPoll | undefined;
  readonly files: readonly DraftFile[];
}

/** The parts of a draft that something can be wrong with. */
export type DraftField = 'title' | 'content' | 'url' | 'tags' | 'poll' | 'files' | 'channel';

/** A problem with a part of a draft. */
export type DraftProblem = 'missing' | 'long' | 'address' | 'many' | 'options' | 'same';

export const EMPTY_DRAFT: PostDraft = {
  title: '',
  content: '',
  url: '',
  tags: [],
  isSpoiler: false,
  isSensitive: false,
  poll: undefined,
  files: [],
};

export const NEW_POLL: DraftPoll = { options: ['', ''], isMultiple: false, hours: 72 };

/** Returns how many characters of a part are left. */
export function leftIn(field: 'title' | 'content' | 'url', text: string): number {
  const most = {
    title: MOST_TITLE_CHARACTERS,
    content: MOST_POST_CHARACTERS,
    url: MOST_URL_CHARACTERS,
  }[field];
  return most - countCodePoints(text.trim());
}

/** Returns whether nothing is written yet. */
export function isEmptyDraft(draft: PostDraft): boolean {
  const { title, content, url, tags, poll, files } = draft;
  return (
    `${title}${content}${url}`.trim() === '' &&
    tags.length === 0 &&
    files.length === 0 &&
    poll === undefined
  );
}

/** Returns what is wrong with a draft. */
export function problemsOf(draft: PostDraft): Partial<Record<DraftField, DraftProblem>> {
  const { title, content, url, tags, poll } = draft;
  const problem = poll && pollProblem(poll);
  return {
    ...(typedText(title) === '' && { title: 'missing' }),
    ...(leftIn('title', title) < 0 && { title: 'long' }),
    ...(leftIn('content', content) < 0 && { content: 'long' }),
    ...(url.trim() !== '' && !isWebAddress(addressOf(url)) && { url: 'address' }),
    ...(leftIn('url', url) < 0 && { url: 'long' }),
    ...(tags.length > MOST_POST_TAGS && { tags: 'many' }),
    ...(problem !== undefined && { poll: problem }),
  };
}

function pollProblem({ options }: DraftPoll): DraftProblem | undefined {
  const given = options.map(typedText).filter((each) => each !== '');
  if (given.length < POLL_OPTIONS.min) return 'options';
  if (given.some((each) => countCodePoints(each) > MOST_OPTION_CHARACTERS)) return 'long';
  return new Set(given).size < given.length ? 'same' : undefined;
}

/** An address as it was meant: people leave out how it begins. */
export function addressOf(typed: string): string {
  const url = typed.trim();
  return url === '' || /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`;
}

function isWebAddress(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined || text.search(UNSAFE_CHARACTERS) !== -1) return false;
  if (`${url.username}${url.password}` !== '') return false;
  return /^https?:$/.test(url.protocol) && /[.:]|^localhost$/.test(url.hostname);
}

/** Returns what is sent of a draft. */
export function newPostOf(draft: PostDraft, nowMs: number): NewPost {
  const { title, content, url, tags, poll, files, isSpoiler, isSensitive } = draft;
  return {
    title: title.trim(),
    ...(content.trim() !== '' && { content: content.trim() }),
    ...(url.trim() !== '' && { url: addressOf(url) }),
    ...(tags.length > 0 && { tag_ids: [...tags] }),
    ...(isSpoiler && { spoiler: true }),
    ...(isSensitive && { sensitive: true }),
    ...(poll !== undefined && { poll: sentPoll(poll, nowMs) }),
    ...(files.length > 0 && {
      attachments: files.map(({ id, alt }) => ({
        id,
        ...(alt.trim() !== '' && { alt: alt.trim() }),
      })),
    }),
  };
}

function sentPoll({ options, isMultiple, hours }: DraftPoll, nowMs: number) {
  const lastsMs = Math.min(hours * 3_600_000, POLL_DURATION_MS.max);
  return {
    options: options.map(typedText).filter((each) => each !== ''),
    ...(isMultiple && { multiple: true }),
    ends_at: nowMs + lastsMs,
  };
}

/** A post as its author changes it. */
export function draftOfPost(post: Post): PostDraft {
  return {
    ...EMPTY_DRAFT,
    title: post.title,
    content: post.content ?? '',
    url: post.url ?? '',
    tags: post.tag_ids ?? [],
    isSpoiler: post.spoiler === true,
    isSensitive: post.sensitive === true,
  };
}

/** Returns what is different in a draft from the post. */
export function changeOf(draft: PostDraft, post: Post): PostChange {
  const next = newPostOf(draft, 0);
  const isSpoiler = post.spoiler === true;
  const isSensitive = post.sensitive === true;
  const tags = post.tag_ids ?? [];
  const hasOtherTags = draft.tags.join() !== tags.join();
  return {
    ...(next.title !== post.title && { title: next.title }),
    ...(next.content !== post.content && { content: next.content ?? null }),
    ...(next.url !== post.url && { url: next.url ?? null }),
    ...(hasOtherTags && { tag_ids: [...draft.tags] }),
    ...(draft.isSpoiler !== isSpoiler && { spoiler: draft.isSpoiler }),
    ...(draft.isSensitive !== isSensitive && { sensitive: draft.isSensitive }),
  };
}

/** A kept draft; undefined if it cannot be read. */
export function parseDraft(text: string | undefined): PostDraft | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? '');
    if (typeof kept !== 'object' || kept === null) return undefined;
    // Guarantee: only storeDraft writes under the key, and fields that an older page did not write are empty.
    const draft = { ...EMPTY_DRAFT, ...kept } as PostDraft;
    const tags = draft.tags.flatMap((id) => parseId(String(id)) ?? []);
    const files = draft.files.flatMap((file) => {
      const id = parseId(String(file.id));
      return id === undefined ? [] : [{ ...file, id }];
    });
    return { ...draft, tags, files };
  } catch {
    return undefined;
  }
}
