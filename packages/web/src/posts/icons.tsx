import { Icon } from '../ui/icons.tsx';

export function UpIcon() {
  return (
    <Icon>
      <path d="M12 5l7 8h-4v6H9v-6H5z" />
    </Icon>
  );
}

export function DownIcon() {
  return (
    <Icon>
      <path d="M12 19l7-8h-4V5H9v6H5z" />
    </Icon>
  );
}

export function CommentIcon() {
  return (
    <Icon>
      <path d="M4.5 6.5a2 2 0 0 1 2-2h11a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H11l-4.5 3.5v-3.5a2 2 0 0 1-2-2z" />
    </Icon>
  );
}

export function SaveIcon({ isOn }: { readonly isOn: boolean }) {
  return (
    <Icon>
      <path d="M6.5 4.5h11v15L12 15.5 6.5 19.5z" fill={isOn ? 'currentColor' : 'none'} />
    </Icon>
  );
}

export function CardsIcon() {
  return (
    <Icon>
      <rect x="4" y="4.5" width="16" height="6.5" rx="1.5" />
      <rect x="4" y="13.5" width="16" height="6" rx="1.5" />
    </Icon>
  );
}

export function LinesIcon() {
  return (
    <Icon>
      <path d="M4 6h16M4 10h16M4 14h16M4 18h16" />
    </Icon>
  );
}
