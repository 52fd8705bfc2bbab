import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  isOld,
  lostParts,
  reloadIfServed,
  retryParts,
  type Loss,
  type PartName,
} from '../lib/load-part.ts';
import { partOf, type ViewsName } from '../lib/views.ts';
import { useText } from '../text/use-text.ts';

/** Parts whose loss is shown in their place. */
const shown = signal<readonly PartName[]>([]);

/** A loss that is not said anywhere else. */
const unsaid = computed((): Loss | undefined => {
  const losses = [...lostParts.value].filter(([name]) => !shown.value.includes(name));
  return losses.find(([, loss]) => loss === 'gone')?.[1] ?? losses[0]?.[1];
});

/** Says in place of views that they could not be loaded, or nothing while they are being loaded; screen readers need its box before. */
export function LostNotice({ views }: { readonly views: ViewsName }) {
  const part = partOf(views);
  const loss = lostParts.value.get(part);
  useEffect(() => {
    shown.value = [...shown.peek(), part];
    return () => {
      const at = shown.peek().indexOf(part);
      shown.value = shown.peek().filter((_, index) => index !== at);
    };
  }, [part]);
  return (
    <div class="lost-here" role="alert">
      {loss !== undefined && <Said loss={loss} />}
    </div>
  );
}

/** Says that a part of the page could not be loaded. It is there before it has anything to say, for screen readers. */
export function LostBanner() {
  const loss = unsaid.value;
  return (
    <div class="failure-notice lost-part" role="alert">
      {loss !== undefined && <Said loss={loss} />}
      {loss === undefined && isOld.value && <Said loss="old" />}
    </div>
  );
}

function Said({ loss }: { readonly loss: Loss | 'old' }) {
  const { asked, banner, places } = useText().shell;
  const isAgain = loss === 'failed';
  const texts = { failed: places.partFailed, gone: places.partGone, old: places.pageOld };
  return (
    <>
      <p>{texts[loss]}</p>
      <button
        type="button"
        class="button button-quiet"
        onClick={() => (isAgain ? retryParts() : void reloadIfServed())}
      >
        {isAgain ? asked.again : banner.reload}
      </button>
    </>
  );
}
