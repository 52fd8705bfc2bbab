/** Hearth's mark. */
export function FlameMark({ size }: { readonly size: 'small' | 'large' }) {
  return (
    <svg class={`flame flame-${size}`} viewBox="0 0 32 32" aria-hidden="true">
      <path
        class="flame-outer"
        d="M16.6 1.8c.5 4.4 3.4 6.7 5.7 9.5 2.3 2.7 3.9 5.4 3.9 9A10 10 0 0 1 16 30.2 10 10 0 0 1 5.8 20.3c0-3.6 1.7-6.2 3.7-8.5.2 2.1 1 3.6 2.4 4.4-.5-5.5 1-10.7 4.7-14.4z"
      />
      <path
        class="flame-inner"
        d="M16.5 16.4c.4 2.3 3.9 3.9 3.9 7.4 0 2.6-1.9 4.5-4.4 4.5s-4.4-1.9-4.4-4.5c0-3.2 3.7-4.3 4.9-7.4z"
      />
    </svg>
  );
}
