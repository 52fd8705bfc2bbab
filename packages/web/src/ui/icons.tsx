import type { IconNode } from 'lucide';
import ArrowDown from 'lucide/dist/esm/icons/arrow-down.mjs';
import Check from 'lucide/dist/esm/icons/check.mjs';
import ChevronDown from 'lucide/dist/esm/icons/chevron-down.mjs';
import ChevronLeft from 'lucide/dist/esm/icons/chevron-left.mjs';
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs';
import Copy from 'lucide/dist/esm/icons/copy.mjs';
import Download from 'lucide/dist/esm/icons/download.mjs';
import EyeOff from 'lucide/dist/esm/icons/eye-off.mjs';
import File from 'lucide/dist/esm/icons/file.mjs';
import Newspaper from 'lucide/dist/esm/icons/newspaper.mjs';
import Paperclip from 'lucide/dist/esm/icons/paperclip.mjs';
import Play from 'lucide/dist/esm/icons/play.mjs';
import SendHorizontal from 'lucide/dist/esm/icons/send-horizontal.mjs';
import Settings2 from 'lucide/dist/esm/icons/settings-2.mjs';
import Smile from 'lucide/dist/esm/icons/face-slightly-smiling.mjs';
import UsersRound from 'lucide/dist/esm/icons/users-round.mjs';
import X from 'lucide/dist/esm/icons/x.mjs';
import ZoomIn from 'lucide/dist/esm/icons/zoom-in.mjs';
import { h } from 'preact';

interface IconProps {
  readonly of: IconNode;
  readonly isFilled?: boolean;
}

/** An icon of Lucide, in the colour of the text around it. */
export function Icon({ of: parts, isFilled = false }: IconProps) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {parts.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}

export const CloseIcon = () => <Icon of={X} />;
export const SettingsIcon = () => <Icon of={Settings2} />;
export const PeopleIcon = () => <Icon of={UsersRound} />;
export const EmojiIcon = () => <Icon of={Smile} />;
export const AttachIcon = () => <Icon of={Paperclip} />;
export const SendIcon = () => <Icon of={SendHorizontal} />;
export const FileIcon = () => <Icon of={File} />;
export const CopyIcon = () => <Icon of={Copy} />;
export const CheckIcon = () => <Icon of={Check} />;
export const ChevronIcon = () => <Icon of={ChevronDown} />;
export const ArrowDownIcon = () => <Icon of={ArrowDown} />;
export const DownloadIcon = () => <Icon of={Download} />;
export const PlayIcon = () => <Icon of={Play} isFilled />;
export const HiddenIcon = () => <Icon of={EyeOff} />;
export const BackIcon = () => <Icon of={ChevronLeft} />;
export const ForthIcon = () => <Icon of={ChevronRight} />;
export const ZoomIcon = () => <Icon of={ZoomIn} />;
export const PostsIcon = () => <Icon of={Newspaper} />;
