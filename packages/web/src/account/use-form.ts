import type { RefObject, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { describeProblems, useDescribing, type Problems } from './describe-problems.ts';

/** A group of choices has no such attribute. */
const INVALID = '[aria-invalid="true"], [data-is-invalid]';

/** The parts of a form. */
type Names<Draft> = keyof Draft & string;

/** The parts that are typed. */
type TextNames<Draft> = {
  readonly [Name in Names<Draft>]: Draft[Name] extends string ? Name : never;
}[Names<Draft>];

export interface FormOptions<Draft> {
  readonly initial: Draft;
  /** Returns what is wrong with what was entered, without asking the server. */
  readonly check?: (draft: Draft, before: Draft) => Problems<Names<Draft>>;
  /** Does what the form is for. `before` is what it did that for last; what it returns takes the place of what was entered. */
  readonly submit: (draft: Draft, before: Draft) => Promise<Draft | void>;
  /** Returns what an error of `submit` means, if it is not what it means in every form. */
  readonly describe?: (error: unknown) => Problems<Names<Draft>> | undefined;
}

/** The part of a form that a field needs. */
export interface FormField {
  readonly name: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A form: what was entered stays until it is accepted, whatever goes wrong. */
export interface FormState<Draft> {
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly draft: Draft;
  readonly problems: Problems<Names<Draft>>;
  readonly isBusy: boolean;
  /** True if what is there was accepted. */
  readonly isSaved: boolean;
  readonly field: (name: TextNames<Draft>) => FormField;
  readonly change: (part: Partial<Draft>) => void;
  readonly onSubmit: (event: TargetedSubmitEvent<HTMLFormElement>) => void;
}

/** Keeps what is entered, checks it, submits it, and shows what went wrong at its field. */
export function useForm<Draft extends object>(options: FormOptions<Draft>): FormState<Draft> {
  const { check, submit, describe } = options;
  const describing = useDescribing();
  const ref = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(options.initial);
  const [before, setBefore] = useState(options.initial);
  const [wasSaved, setWasSaved] = useState(false);
  const [problems, setProblems] = useState<Problems<Names<Draft>>>({});
  const [isBusy, setIsBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>(INVALID)?.focus();
  }, [refusals]);
  const change = (part: Partial<Draft>) => {
    setDraft((entered) => ({ ...entered, ...part }));
    setProblems((found) => without(found, ['form', ...Object.keys(part)]));
  };
  const refuse = (found: Problems<Names<Draft>>) => {
    setProblems(found);
    setRefusals((count) => count + 1);
  };
  const send = async () => {
    setIsBusy(true);
    setProblems({});
    try {
      const saved = (await submit(draft, before)) ?? draft;
      if (saved !== draft) setDraft(saved);
      setBefore(saved);
      setWasSaved(true);
    } catch (error) {
      // Guarantee: the initial draft has all parts.
      const names = Object.keys(options.initial) as Names<Draft>[];
      refuse(describe?.(error) ?? describeProblems(error, names, describing));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    ref,
    draft,
    problems,
    isBusy,
    isSaved: wasSaved && draft === before,
    field: (name) => ({
      name,
      value: String(draft[name]),
      problem: problems[name],
      // Guarantee: it is one of the parts that are texts.
      onChange: (value) => change({ [name]: value } as unknown as Partial<Draft>),
    }),
    change,
    onSubmit: (event) => {
      event.preventDefault();
      if (isBusy) return;
      const found = check?.(draft, before) ?? {};
      if (Object.values(found).some((problem) => problem !== undefined)) refuse(found);
      else void send();
    },
  };
}

function without<Found extends object>(found: Found, names: readonly string[]): Found {
  if (!names.some((name) => name in found)) return found;
  return { ...found, ...Object.fromEntries(names.map((name) => [name, undefined])) };
}
