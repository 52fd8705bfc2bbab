import type { ComponentChildren } from 'preact';

function Icon({ children }: { readonly children: ComponentChildren }) {
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

export function PictureIcon() {
  return (
    <Icon>
      <rect x="3.5" y="5" width="17" height="14" rx="2" />
      <circle cx="9" cy="10" r="1.5" />
      <path d="M4 17l5-4 3 2.5 3.5-3.5 5 5" />
    </Icon>
  );
}
