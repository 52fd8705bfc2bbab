import type { Id } from '@hearth/protocol';
import type { PreviewKind } from './stored-preview.ts';

/** Sends to the readers of these that their previews are ready. It may be repeated, and what was removed is left out. */
export type AnnouncePreviews<Ctx> = (ctx: Ctx, ids: readonly Id[]) => Promise<void>;

/** What each part of the instance does when previews that it shows are ready. */
export type PreviewAnnouncers<Ctx> = Readonly<Record<PreviewKind, AnnouncePreviews<Ctx>>>;
