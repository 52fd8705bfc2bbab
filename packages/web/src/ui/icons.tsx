import type { ComponentChildren } from 'preact';

/** The frame of every icon. */
export function Icon({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function CloseIcon() {
  return (
    <Icon>
      <path d="M6 6l12 12M18 6L6 18" />
    </Icon>
  );
}

export function SettingsIcon() {
  return (
    <Icon>
      <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
      <circle cx="15" cy="7" r="2" />
      <circle cx="9" cy="17" r="2" />
    </Icon>
  );
}

export function PeopleIcon() {
  return (
    <Icon>
      <circle cx="9" cy="8" r="3.25" />
      <path d="M3 19.5c0-3.3 2.7-6 6-6s6 2.7 6 6M15.5 5a3.25 3.25 0 0 1 0 6M17.5 13.9c2.1.8 3.5 3 3.5 5.6" />
    </Icon>
  );
}

export function EmojiIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8.5 14.5a4 4 0 0 0 7 0M9 9.5v.5M15 9.5v.5" />
    </Icon>
  );
}

export function AttachIcon() {
  return (
    <Icon>
      <path d="M20 11.5l-7.8 7.8a5 5 0 0 1-7-7l8.4-8.4a3.3 3.3 0 0 1 4.7 4.7l-8.3 8.3a1.7 1.7 0 0 1-2.4-2.4l7.3-7.3" />
    </Icon>
  );
}

export function SendIcon() {
  return (
    <Icon>
      <path d="M5 12.5V5.5c0-.6.6-1 1.1-.7l14 6.3c.7.3.7 1.4 0 1.7l-14 6.3c-.5.3-1.1-.1-1.1-.7v-5.9zM5 12h7" />
    </Icon>
  );
}

export function FileIcon() {
  return (
    <Icon>
      <path d="M13.5 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8.5L13.5 3z" />
      <path d="M13.5 3v5.5H19" />
    </Icon>
  );
}

export function CopyIcon() {
  return (
    <Icon>
      <rect x="9" y="9" width="11" height="11" rx="2" />
      <path d="M5 15a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1" />
    </Icon>
  );
}

export function CheckIcon() {
  return (
    <Icon>
      <path d="M5 12.5l4.5 4.5L19 7.5" />
    </Icon>
  );
}

export function ChevronIcon() {
  return (
    <Icon>
      <path d="M7 10l5 5 5-5" />
    </Icon>
  );
}

export function ArrowDownIcon() {
  return (
    <Icon>
      <path d="M12 5v14M6 13l6 6 6-6" />
    </Icon>
  );
}

export function DownloadIcon() {
  return (
    <Icon>
      <path d="M12 4v11M7 10.5l5 5 5-5M5 20h14" />
    </Icon>
  );
}

export function PlayIcon() {
  return (
    <Icon>
      <path d="M8 5.5v13l11-6.5z" fill="currentColor" />
    </Icon>
  );
}

export function HiddenIcon() {
  return (
    <Icon>
      <path d="M4 4l16 16M10.6 6.1A9.6 9.6 0 0 1 12 6c5 0 8.5 4.2 9.5 6a15 15 0 0 1-2.6 3.4M6.6 7.6A14 14 0 0 0 2.5 12c1 1.8 4.5 6 9.5 6a9 9 0 0 0 4-1M10 10a3 3 0 0 0 4 4" />
    </Icon>
  );
}

export function BackIcon() {
  return (
    <Icon>
      <path d="M14 6l-6 6 6 6" />
    </Icon>
  );
}

export function ForthIcon() {
  return (
    <Icon>
      <path d="M10 6l6 6-6 6" />
    </Icon>
  );
}

export function ZoomIcon() {
  return (
    <Icon>
      <circle cx="10.5" cy="10.5" r="6.5" />
      <path d="M15.5 15.5L20.5 20.5M10.5 8v5M8 10.5h5" />
    </Icon>
  );
}
