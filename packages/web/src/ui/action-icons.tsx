import { Icon } from './icons.tsx';

export function ReplyIcon() {
  return (
    <Icon>
      <path d="M9 7l-5 5 5 5M4 12h10a6 6 0 0 1 6 6v1" />
    </Icon>
  );
}

export function LinkIcon() {
  return (
    <Icon>
      <path d="M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L11.5 6.8" />
      <path d="M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.6-1.6" />
    </Icon>
  );
}

export function MoreIcon() {
  return (
    <Icon>
      <path d="M6 12h.01M12 12h.01M18 12h.01" stroke-width="3" />
    </Icon>
  );
}

export function ArrowUpIcon() {
  return (
    <Icon>
      <path d="M12 19V5M6 11l6-6 6 6" />
    </Icon>
  );
}

export function SearchIcon() {
  return (
    <Icon>
      <circle cx="10.5" cy="10.5" r="6" />
      <path d="M15 15l5 5" />
    </Icon>
  );
}

export function PlusIcon() {
  return (
    <Icon>
      <path d="M12 5v14M5 12h14" />
    </Icon>
  );
}

export function PinIcon() {
  return (
    <Icon>
      <path d="M9 4h6l-1 6 3.5 3.5h-11L10 10zM12 13.5V20" />
    </Icon>
  );
}

export function EditIcon() {
  return (
    <Icon>
      <path d="M4.5 19.5l.9-4L16 5a2.1 2.1 0 0 1 3 3L8.5 18.6zM14 7l3 3" />
    </Icon>
  );
}

export function DeleteIcon() {
  return (
    <Icon>
      <path d="M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5" />
    </Icon>
  );
}
