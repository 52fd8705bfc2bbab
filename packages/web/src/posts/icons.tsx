import ArrowBigDown from 'lucide/dist/esm/icons/arrow-big-down.mjs';
import ArrowBigUp from 'lucide/dist/esm/icons/arrow-big-up.mjs';
import Bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import MessageCircle from 'lucide/dist/esm/icons/message-circle.mjs';
import StretchHorizontal from 'lucide/dist/esm/icons/stretch-horizontal.mjs';
import TextAlignJustify from 'lucide/dist/esm/icons/text-align-justify.mjs';
import { Icon } from '../ui/icons.tsx';

export const UpIcon = () => <Icon of={ArrowBigUp} />;
export const DownIcon = () => <Icon of={ArrowBigDown} />;
export const CommentIcon = () => <Icon of={MessageCircle} />;
export const CardsIcon = () => <Icon of={StretchHorizontal} />;
export const LinesIcon = () => <Icon of={TextAlignJustify} />;

export function SaveIcon({ isOn }: { readonly isOn: boolean }) {
  return <Icon of={Bookmark} isFilled={isOn} />;
}
