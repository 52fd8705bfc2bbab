import { Icon } from './icons.tsx';

export function HomeIcon() {
  return (
    <Icon>
      <path d="M4 11l8-7 8 7v8.5a1 1 0 0 1-1 1h-4.5V14h-5v6.5H5a1 1 0 0 1-1-1z" />
    </Icon>
  );
}

export function LobbyIcon() {
  return (
    <Icon>
      <path d="M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v8a1.5 1.5 0 0 1-1.5 1.5H11l-4.5 4v-4h-1A1.5 1.5 0 0 1 4 14.5z" />
    </Icon>
  );
}

export function CompassIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M15.5 8.5l-2 5-5 2 2-5z" />
    </Icon>
  );
}

export function HashIcon() {
  return (
    <Icon>
      <path d="M9.5 4.5l-1.5 15M16 4.5l-1.5 15M4.5 9.5h15.5M4 14.5h15.5" />
    </Icon>
  );
}

export function AnnouncementIcon() {
  return (
    <Icon>
      <path d="M4 10v4h3l8 4.5v-13L7 10zM18.5 9.5a4 4 0 0 1 0 5M8 14.5l1 5h2.5l-.8-3.5" />
    </Icon>
  );
}

export function PostsIcon() {
  return (
    <Icon>
      <rect x="4" y="4.5" width="16" height="15" rx="2" />
      <path d="M8 9h8M8 12.5h8M8 16h4.5" />
    </Icon>
  );
}

export function LockIcon() {
  return (
    <Icon>
      <rect x="5.5" y="10.5" width="13" height="9.5" rx="2" />
      <path d="M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5" />
    </Icon>
  );
}

export function MutedIcon() {
  return (
    <Icon>
      <path d="M6 16.5v-5.5a6 6 0 0 1 9-5.2M18 11v5.5l1 1H8M10 20.5a2.2 2.2 0 0 0 4 0M4 4l16 16" />
    </Icon>
  );
}

export function InviteIcon() {
  return (
    <Icon>
      <circle cx="10" cy="8" r="3.5" />
      <path d="M3.5 19.5c0-3.6 2.9-6 6.5-6 1.6 0 3 .4 4.1 1.2M18 13.5v6M15 16.5h6" />
    </Icon>
  );
}

export function ReadIcon() {
  return (
    <Icon>
      <path d="M3 12.5l4.5 4.5L16 8M11.5 16l1 1L21 8" />
    </Icon>
  );
}

export function RoleIcon() {
  return (
    <Icon>
      <path d="M12 3.5l7 3v5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9v-5z" />
      <path d="M9 12l2.2 2.2L15.5 10" />
    </Icon>
  );
}

export function BanIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M6 6l12 12" />
    </Icon>
  );
}

export function LogIcon() {
  return (
    <Icon>
      <path d="M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5" />
    </Icon>
  );
}

export function GripIcon() {
  return (
    <Icon>
      <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" stroke-width="3" />
    </Icon>
  );
}

export function SelectIcon() {
  return (
    <Icon>
      <path d="M5 5h14v14H5zM8.5 12l2.5 2.5 4.5-5" />
    </Icon>
  );
}

export function BellIcon() {
  return (
    <Icon>
      <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4" />
    </Icon>
  );
}
