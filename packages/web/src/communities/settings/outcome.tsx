import type { Act } from './use-act.ts';
import { useSettingsText } from './use-settings-text.ts';

/** Shows whether the last act worked. It is there before it has anything to say, for screen readers. */
export function Outcome({ act }: { readonly act: Act }) {
  const words = useSettingsText();
  return (
    <>
      <p class="success" role="status">
        {act.isDone && words.saved}
      </p>
      <p class="problem" role="alert">
        {act.problem}
      </p>
    </>
  );
}
