import type { RefObject, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A group of choices has no such attribute. */
const INVALID = '[aria-invalid="true"], [data-is-invalid]';

/** What was typed into each field. */
export type Typed<Name extends string> = Readonly<Record<Name, string>>;

/** What is wrong with fields, or with all of them together. */
export type Problems<Name extends string> = {
  readonly [Field in Name | 'form']?: string | undefined;
};

/** How a form works. */
export interface FormOptions<Name extends string> {
  readonly initial: Typed<Name>;
  /** What is wrong with what was typed, without asking the server. */
  readonly check: (typed: Typed<Name>) => Problems<Name>;
  /** Does what the form is for. */
  readonly submit: (typed: Typed<Name>) => Promise<void>;
  /** What an error of `submit` means. */
  readonly describe: (error: unknown) => Problems<Name>;
}

/** What a field needs of its form. */
export interface FormField {
  readonly name: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A form: what was typed stays until it is accepted, whatever goes wrong. */
export interface Form<Name extends string> {
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly typed: Typed<Name>;
  /** What is wrong with the form as a whole. */
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  readonly field: (name: Name) => FormField;
  readonly change: (changed: Partial<Typed<Name>>) => void;
  readonly onSubmit: (event: TargetedSubmitEvent<HTMLFormElement>) => void;
}

/** Keeps what is typed, checks it, submits it, and shows what went wrong at its field. */
export function useForm<Name extends string>(options: FormOptions<Name>): Form<Name> {
  const { check, submit, describe } = options;
  const ref = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Typed<Name>>(options.initial);
  const [problems, setProblems] = useState<Problems<Name>>({});
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>(INVALID)?.focus();
  }, [problems]);
  const change = (changed: Partial<Typed<Name>>) =>
    setTyped((before) => ({ ...before, ...changed }));
  const send = async () => {
    setIsBusy(true);
    setProblems({});
    try {
      await submit(typed);
    } catch (error) {
      setProblems(describe(error));
    } finally {
      setIsBusy(false);
    }
  };
  const without = (name: Name) => {
    if (problems[name] === undefined) return;
    setProblems((before) => ({ ...before, [name]: undefined, form: undefined }));
  };
  return {
    ref,
    typed,
    problem: problems.form,
    isBusy,
    field: (name) => ({
      name,
      value: typed[name],
      problem: problems[name],
      onChange: (value) => {
        setTyped((before) => ({ ...before, [name]: value }));
        without(name);
      },
    }),
    change,
    onSubmit: (event) => {
      event.preventDefault();
      if (isBusy) return;
      const found = check(typed);
      if (Object.values(found).some((problem) => problem !== undefined)) setProblems(found);
      else void send();
    },
  };
}
