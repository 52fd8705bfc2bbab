import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MessageMenu } from './use-message-menu.ts';
import { loadPart } from '../../lib/load-part.ts';

interface MenuProps {
  readonly menu: MessageMenu;
}

/** The menu of a message, which is loaded when one is first opened. */
export function MessageMenuOnDemand({ menu }: MenuProps) {
  const [View, setView] = useState<ComponentType<MenuProps> | undefined>(undefined);
  const isNeeded = menu.open !== undefined && View === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    void loadPart('later.ts', () => import('../../later.ts')).then(({ MessageMenuView }) =>
      setView(() => MessageMenuView),
    );
  }, [isNeeded]);
  return View === undefined ? null : <View menu={menu} />;
}
