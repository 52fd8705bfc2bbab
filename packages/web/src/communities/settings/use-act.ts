import { useState } from 'preact/hooks';
import { useFailureText } from '../describe-failure.ts';
import { useSettingsText } from './use-settings-text.ts';

/** Something that the instance is asked to do. */
export interface Act {
  readonly isBusy: boolean;
  /** True if the last one worked. */
  readonly isDone: boolean;
  /** Why the last one failed. */
  readonly problem: string | undefined;
  /** Does it; returns whether it worked. `describe` has better words for some errors. Never rejects. */
  readonly run: (
    act: () => Promise<unknown>,
    describe?: (error: unknown) => string | undefined,
  ) => Promise<boolean>;
  /** Says no longer that something worked or failed. */
  readonly forget: () => void;
}

type State =
  | { readonly state: 'idle' | 'busy' | 'done' }
  | { readonly state: 'failed'; readonly problem: string };

/** Asks the instance to do something, and says whether it worked. */
export function useAct(): Act {
  const { permissions } = useSettingsText();
  const failureText = useFailureText(permissions.names);
  const [state, setState] = useState<State>({ state: 'idle' });
  return {
    isBusy: state.state === 'busy',
    isDone: state.state === 'done',
    problem: state.state === 'failed' ? state.problem : undefined,
    forget: () => setState({ state: 'idle' }),
    run: async (act, describe) => {
      setState({ state: 'busy' });
      try {
        await act();
        setState({ state: 'done' });
        return true;
      } catch (error) {
        const problem = describe?.(error) ?? failureText(error);
        setState({ state: 'failed', problem });
        return false;
      }
    },
  };
}
