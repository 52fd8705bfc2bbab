import { AudioFile } from './audio-file.tsx';
import type { FileViews } from './file-view-types.ts';
import { TextPreview } from './text-preview.tsx';
import { Video } from './video.tsx';

/** What shows files that are no pictures. */
export const fileViews: FileViews = { AudioFile, TextPreview, Video };
