import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Loading } from './load-part.ts';
import { requiredContext } from './required-context.ts';

/** The views that are loaded on use. `app/views.ts` declares them here, so that nobody imports them to show them. */
export interface Views {}

/** The name of views that are loaded together. */
export type ViewsName = keyof Views;

/** The part of the page that has these views. */
export const partOf = <Name extends ViewsName>(name: Name) => `app/views/${name}.ts` as const;

type Loads = { readonly [Name in ViewsName]: (loading?: Loading) => Promise<Views[Name]> };

/** Loads views on use. */
export class LazyViews {
  readonly #loads: Loads;
  readonly #loaded = signal<Partial<Views>>({});

  constructor(loads: Loads) {
    this.#loads = loads;
  }

  /** Views that have been loaded. */
  get<Name extends ViewsName>(name: Name): Views[Name] | undefined {
    return this.#loaded.value[name];
  }

  /** Loads views as a part of the page. */
  async load<Name extends ViewsName>(name: Name, loading?: Loading): Promise<Views[Name]> {
    const views = await this.#loads[name](loading);
    const loaded = this.#loaded.peek();
    if (loaded[name] === undefined) this.#loaded.value = { ...loaded, [name]: views };
    return views;
  }
}

const { Provider, useValue } = requiredContext<LazyViews>();

/** Provides views with those that are loaded on use. */
export const ViewsProvider = Provider;

/** Views once they are loaded, which begins when they are first needed. */
export function useViews<Name extends ViewsName>(
  name: Name,
  isNeeded = true,
): Views[Name] | undefined {
  const lazy = useValue();
  const wasNeeded = useRef(false);
  wasNeeded.current ||= isNeeded;
  const views = wasNeeded.current ? lazy.get(name) : undefined;
  const isMissing = wasNeeded.current && views === undefined;
  useEffect(() => {
    if (isMissing) void lazy.load(name);
  }, [lazy, name, isMissing]);
  return views;
}
