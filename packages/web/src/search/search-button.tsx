import { useInstance } from '../instance/use-instance.ts';
import { useText } from '../text/use-text.ts';
import { SearchIcon } from '../ui/action-icons.tsx';
import { useSearchOpening } from './search-opening.ts';

/** Opens the search; nothing if the instance has none. */
export function SearchButton() {
  const { features } = useInstance();
  const { openSearch: label } = useText().reading;
  const isOpen = useSearchOpening();
  if (!features.value.includes('search')) return null;
  return (
    <button
      type="button"
      class="icon-button header-search"
      aria-haspopup="dialog"
      aria-label={label}
      title={label}
      onClick={() => {
        isOpen.value = true;
      }}
    >
      <SearchIcon />
    </button>
  );
}
