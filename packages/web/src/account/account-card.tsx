import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { FlameMark } from '../ui/flame-mark.tsx';

interface CardProps {
  readonly title: string;
  /** Below the title. */
  readonly text?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** True if the title gets the focus, because no field does. */
  readonly isFocused?: boolean;
}

/** A page of its own with one task. */
export function AccountCard({ title, text, children, isFocused = false }: CardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isFocused) heading.current?.focus();
  }, [isFocused, title]);
  return (
    <main class="welcome account-page">
      <div class="welcome-card">
        <FlameMark size="large" />
        <h1 ref={heading} class="account-title" tabIndex={-1}>
          {title}
        </h1>
        {text !== undefined && <p class="welcome-tagline">{text}</p>}
        {children}
      </div>
    </main>
  );
}

/** Shows what is wrong with a whole form, above its fields. */
export function FormProblem({ problem }: { readonly problem: string | undefined }) {
  return (
    <p class={problem === undefined ? 'form-problem-none' : 'form-problem'} role="alert">
      {problem}
    </p>
  );
}
