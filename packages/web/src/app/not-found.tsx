import { HearthDrawing } from '../ui/hearth-drawing.tsx';
import { useText } from '../text/use-text.ts';

/** Shown at an address that is no place of this instance. */
export function NotFound() {
  const { places } = useText().shell;
  return (
    <main class="not-found">
      <HearthDrawing isLit={false} />
      <h1>{places.notFoundTitle}</h1>
      <p>{places.notFoundText}</p>
      <a class="button button-primary" href="./">
        {places.toLobby}
      </a>
    </main>
  );
}
