import { useEffect, useState } from 'preact/hooks';
import { onLostPart, reloadIfServed } from '../lib/load-part.ts';
import { useText } from '../text/use-text.ts';

/** Says that a part of the page could not be loaded. It is there before it has anything to say, for screen readers. */
export function LostPart() {
  const { banner, places } = useText().shell;
  const [isLost, setIsLost] = useState(false);
  useEffect(() => onLostPart(() => setIsLost(true)), []);
  return (
    <div class="failure-notice lost-part" role="alert">
      {isLost && (
        <>
          <p>{places.partFailed}</p>
          <button type="button" class="button button-quiet" onClick={() => void reloadIfServed()}>
            {banner.reload}
          </button>
        </>
      )}
    </div>
  );
}
