/** A hearth: a fire between stones. */
export function HearthDrawing({ isLit }: { readonly isLit: boolean }) {
  return (
    <svg class="hearth-drawing" viewBox="0 0 160 120" aria-hidden="true">
      <path
        class="hearth-stone"
        d="M20 112V56c0-26 26-44 60-44s60 18 60 44v56h-18V62c0-16-18-28-42-28S38 46 38 62v50z"
      />
      <path
        class="hearth-line"
        d="M12 112h136M20 84h18M122 84h18M29 52l15 8M131 52l-15 8M80 12v22"
      />
      {isLit && (
        <>
          <path
            class="hearth-flame"
            d="M80 46c4 12 20 20 20 38a20 20 0 0 1-40 0c0-10 6-14 8-22 5 3 7 6 8 10 4-6 5-14 4-26z"
          />
          <path class="hearth-core" d="M81 72c2 7 9 10 9 18a10 10 0 0 1-20 0c0-7 8-9 11-18z" />
        </>
      )}
      <path class="hearth-log" d="M54 100l52 10M106 100l-52 10" />
    </svg>
  );
}
