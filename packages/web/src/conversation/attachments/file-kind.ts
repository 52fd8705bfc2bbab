import type { FileData } from '@hearth/sdk';

/** Endings of files that browsers play. */
const AUDIO = /\.(?:mp3|m4a|aac|ogg|oga|opus|wav|flac|weba)$/i;

/** Returns whether a file is offered to be played. Instances have no such kind, so its name decides. */
export function isAudio({ name, metadata }: Pick<FileData, 'name' | 'metadata'>): boolean {
  return metadata.type === 'other' && AUDIO.test(name);
}

/** The ending of a file's name, in lower case. */
export function endingOf(name: string): string | undefined {
  return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
}
