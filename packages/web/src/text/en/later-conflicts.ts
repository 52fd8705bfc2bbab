import type { ByConflict } from '@hearth/protocol';

/** The sentences about conflicts. They come with the views of accounts and communities, because only there conflicts arise. */
export const laterConflicts: { value: ByConflict<string> | undefined } = { value: undefined };
