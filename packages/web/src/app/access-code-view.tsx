import type { TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { isAccessCode } from '@hearth/protocol';
import { describeError } from '../conversation/describe-error.ts';
import { useInstance } from '../instance/use-instance.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { FlameMark } from '../ui/flame-mark.tsx';
import type { Access } from './access.ts';

interface AccessCodeProps {
  readonly access: Access;
}

/** Asks for the access code, once: the page starts again with a code that the server accepts. */
export function AccessCodeView({ access }: AccessCodeProps) {
  const { info } = useInstance();
  const { accessCode: words } = useText().shell;
  return (
    <main class="welcome">
      <div class="welcome-card">
        <FlameMark size="large" />
        <h1 class="welcome-name">
          <bdi>{info.instance_name}</bdi>
        </h1>
        <p class="welcome-tagline">{words.tagline}</p>
        <CodeForm access={access} />
      </div>
    </main>
  );
}

function CodeForm({ access }: AccessCodeProps) {
  const { accessCode: words } = useText().shell;
  const id = useId();
  const [typed, setTyped] = useState('');
  const { problem, isChecking, check } = useCheck(access);
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isChecking) void check(typed.trim());
  };
  return (
    <form class="name-form" noValidate onSubmit={onSubmit}>
      <label for={id}>{words.label}</label>
      <div class="name-row">
        <input
          id={id}
          class="text-field"
          type="text"
          name="code"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="go"
          autofocus
          value={typed}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-hint ${id}-problem`}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" class="button button-primary" aria-disabled={isChecking}>
          {words.enter}
        </button>
      </div>
      <p id={`${id}-hint`} class="hint">
        {words.hint}
      </p>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
    </form>
  );
}

/** Checks codes, and starts the page again with one that is right. */
function useCheck({ code, accepts }: Access) {
  const text = useText();
  const formats = useFormats();
  const { accessCode: words } = text.shell;
  const [problem, setProblem] = useState(
    code.current.peek() === undefined ? undefined : words.changed,
  );
  const [isChecking, setIsChecking] = useState(false);
  const check = async (typed: string) => {
    if (!isAccessCode(typed)) {
      setProblem(words.impossible);
      return;
    }
    setIsChecking(true);
    setProblem(undefined);
    try {
      if (await accepts(typed)) {
        code.keep(typed);
        location.reload();
      } else setProblem(words.wrong);
    } catch (error) {
      setProblem(describeError(error, text, formats));
    } finally {
      setIsChecking(false);
    }
  };
  return { problem, isChecking, check };
}
