import { createContext, type Provider } from 'preact';
import { useContext } from 'preact/hooks';

/** A context that every view below its provider can rely on. */
export interface RequiredContext<Value> {
  readonly Provider: Provider<Value | undefined>;
  /** The value, for a view. Throws if no provider is above it. */
  readonly useValue: () => Value;
}

/** Makes a context. */
export function requiredContext<Value>(): RequiredContext<Value> {
  const context = createContext<Value | undefined>(undefined);
  return {
    Provider: context.Provider,
    useValue: () => {
      const value = useContext(context);
      if (value === undefined) throw new Error('a view is outside of its provider');
      return value;
    },
  };
}
