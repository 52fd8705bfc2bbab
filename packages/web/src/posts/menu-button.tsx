import { useRef, useState } from 'preact/hooks';
import { MoreIcon } from '../ui/action-icons.tsx';
import { Menu, type MenuItem, type MenuPoint } from '../ui/menu.tsx';

interface MenuButtonProps<Item extends MenuItem> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly isSmall?: boolean;
  readonly onChoose: (item: Item) => void;
}

/** A button that opens a menu below it. */
export function MenuButton<Item extends MenuItem>(props: MenuButtonProps<Item>) {
  const { label, items, isSmall = false, onChoose } = props;
  const opener = useRef<HTMLButtonElement>(null);
  const [at, setAt] = useState<MenuPoint | undefined>(undefined);
  const close = (isByKey: boolean) => {
    setAt(undefined);
    if (isByKey) opener.current?.focus();
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={isSmall ? 'icon-button icon-button-small' : 'icon-button'}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        aria-label={label}
        title={label}
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt(at === undefined ? { x: left, y: bottom } : undefined);
        }}
      >
        <MoreIcon />
      </button>
      {at !== undefined && (
        <Menu
          label={label}
          items={items}
          at={at}
          opener={opener}
          onChoose={(item) => {
            close(true);
            onChoose(item);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
