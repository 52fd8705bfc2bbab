import type { FileData } from '@hearth/sdk';
import type { ComponentType } from 'preact';
import type { PictureBox } from './picture-box.ts';

interface FileProps {
  readonly data: FileData;
}

/** What shows files that are no pictures. */
export interface FileViews {
  readonly AudioFile: ComponentType<FileProps>;
  readonly TextPreview: ComponentType<FileProps>;
  readonly Video: ComponentType<FileProps & { readonly box: PictureBox }>;
}
