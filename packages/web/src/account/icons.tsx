import { Icon } from '../ui/icons.tsx';

export function EyeIcon() {
  return (
    <Icon>
      <path d="M2.5 12c1-1.8 4.5-6 9.5-6s8.5 4.2 9.5 6c-1 1.8-4.5 6-9.5 6s-8.5-4.2-9.5-6z" />
      <circle cx="12" cy="12" r="2.75" />
    </Icon>
  );
}

export function PersonIcon() {
  return (
    <Icon>
      <circle cx="12" cy="8" r="3.75" />
      <path d="M4.5 20c0-4 3.4-6.5 7.5-6.5s7.5 2.5 7.5 6.5" />
    </Icon>
  );
}

export function KeyIcon() {
  return (
    <Icon>
      <circle cx="8" cy="15.5" r="4" />
      <path d="M11 12.5L19.5 4M16 7.5l3 3M13.5 10l2 2" />
    </Icon>
  );
}

export function DevicesIcon() {
  return (
    <Icon>
      <path d="M4 16V6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5V8M2.5 19H13M13 16H4" />
      <rect x="16" y="11" width="5.5" height="9" rx="1.25" />
    </Icon>
  );
}

export function PaletteIcon() {
  return (
    <Icon>
      <path d="M12 3.5a8.5 8.5 0 1 0 0 17c1.5 0 2-1 1.6-2.1-.6-1.6.3-2.9 2-2.9h2.1c1.7 0 2.8-1.2 2.8-3.2 0-4.9-3.8-8.8-8.5-8.8z" />
      <path d="M7.5 12.5h.01M9.5 8h.01M14.5 8h.01" stroke-width="2.5" />
    </Icon>
  );
}

export function BellIcon() {
  return (
    <Icon>
      <path d="M6 16.5v-5.5a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2.2 2.2 0 0 0 4 0" />
    </Icon>
  );
}

export function SignOutIcon() {
  return (
    <Icon>
      <path d="M14 4.5H6.5A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5H14M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5" />
    </Icon>
  );
}

export function PhoneIcon() {
  return (
    <Icon>
      <rect x="7" y="2.5" width="10" height="19" rx="2" />
      <path d="M11 18.5h2" />
    </Icon>
  );
}

export function ScreenIcon() {
  return (
    <Icon>
      <rect x="3" y="4.5" width="18" height="12" rx="1.5" />
      <path d="M9 20h6M12 16.5V20" />
    </Icon>
  );
}

export function TerminalIcon() {
  return (
    <Icon>
      <rect x="3" y="4.5" width="18" height="15" rx="1.5" />
      <path d="M7 9l3 3-3 3M12.5 15H17" />
    </Icon>
  );
}

export function PrintIcon() {
  return (
    <Icon>
      <path d="M7 9V3.5h10V9M7 17H4.5v-6.5A1.5 1.5 0 0 1 6 9h12a1.5 1.5 0 0 1 1.5 1.5V17H17M7 14h10v6.5H7z" />
    </Icon>
  );
}
