import type { ComponentName } from './engine-types.ts';

/** The configured addresses, and what a process runs. */
export interface PublishedUrls {
  readonly settings: { readonly publicUrl: string | undefined } & Readonly<
    Record<'rest' | 'gateway' | 'files', { readonly url: string | undefined }>
  >;
  readonly components: readonly ComponentName[];
}

const OPTIONS = [
  ['rest', 'oprish.url'],
  ['gateway', 'pandemonium.url'],
  ['files', 'effis.url'],
] as const;

/**
 * The options that must be set, because this process would otherwise send clients an address where it does not listen.
 */
export function missingUrls({ settings, components }: PublishedUrls): readonly string[] {
  if (settings.publicUrl !== undefined) return [];
  if (!components.includes('rest') && !components.includes('web')) return [];
  return OPTIONS.filter(
    ([name]) => settings[name].url === undefined && !components.includes(name),
  ).map(([, option]) => option);
}
