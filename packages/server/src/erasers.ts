import type { EraseContent } from './features/erasure/eraser.ts';
import { eraseExport } from './features/exports/remove-export.ts';
import { eraseUser } from './features/lobby/changes/erase-user.ts';
import { eraseUploads } from './features/uploads/erase-uploads.ts';

/** What is done with what the person of a deleted account wrote and uploaded, by the features that keep it. */
export const ERASERS: readonly EraseContent[] = [eraseExport, eraseUser, eraseUploads];
