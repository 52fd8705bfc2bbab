import type { Id } from '@hearth/protocol';
import type { CommunityContext } from '../communities/community-context.ts';
import type { PreviewKind } from './stored-preview.ts';

/** Sends to the readers of these that their previews are ready. It may be repeated, and what was removed is left out. */
export type AnnouncePreviews = (ctx: CommunityContext, ids: readonly Id[]) => Promise<void>;

/** What each part of the instance does when previews that it shows are ready. */
export type PreviewAnnouncers = Readonly<Record<PreviewKind, AnnouncePreviews>>;
