import type { ComponentType } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { Conversation } from '../conversation.ts';
import { useInstance } from '../../instance/use-instance.ts';
import { useFindKey } from '../../ui/use-find-key.ts';
import { useViews } from '../../lib/views.ts';

interface PanelProps {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

/** The search of a conversation, and how to open it; `open` is undefined if the instance has no search. */
export interface SearchOnDemand {
  readonly open: (() => void) | undefined;
  readonly panel: ComponentType<PanelProps> | undefined;
  readonly close: () => void;
}

/** Opens the search by Ctrl+F, too; while it is open, that key is the browser's own. */
export function useSearchOnDemand(): SearchOnDemand {
  const { features } = useInstance();
  const [isOpen, setIsOpen] = useState(false);
  const hasSearch = features.value.includes('search');
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  const views = useViews('later', isOpen);
  const panel = isOpen ? views?.SearchPanel : undefined;
  useFindKey(hasSearch ? open : undefined);
  return { open: hasSearch ? open : undefined, panel, close };
}
