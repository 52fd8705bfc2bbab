export { Documents, type Rendered } from './documents.ts';
export { property, type PlaceDocument, type PlaceHead } from './page-head.ts';
export type { FindShown } from './shown.ts';

import type { CommentsContext } from '../../forum/comments/comments.ts';
import type { KeepsSealedCursors } from '../../platform/sealed-cursors/sealed-cursors.ts';
import { Documents } from './documents.ts';
import { shownPlaces } from './shown-places.ts';
import { siteDocuments } from './site-documents.ts';
import type { ShownPlaces } from './shown.ts';

/** The things that visitors may see, for programs and for readers without scripts. */
export interface PublicPages {
  /** By the paths of places. */
  readonly places: ShownPlaces;
  /** Documents for programs, by their paths. */
  readonly documents: ShownPlaces;
  readonly rendered: Documents;
}

export function publicPages(ctx: CommentsContext & KeepsSealedCursors): PublicPages {
  return {
    places: shownPlaces(ctx),
    documents: siteDocuments(ctx),
    rendered: new Documents(ctx.settings),
  };
}
