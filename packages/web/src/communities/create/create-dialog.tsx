import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { checkCommunityName, checkSlug } from '../checks.ts';
import { useFailureText } from '../describe-failure.ts';
import { offeredKinds } from '../offered-kinds.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { Done } from './done.tsx';
import { changed, isSlugTaken, makeCommunity, type Draft, type Made } from './new-community.ts';
import { NameStep, PlaceStep, PurposeStep, type Problems } from './steps.tsx';

const STEPS = 3;
const NAME_STEP = 0;
const PLACE_STEP = 2;

/** Makes a community, in three steps. Loaded on use. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { create: words } = useCommunityText();
  const making = useMaking();
  const { draft, step, made, problems, isBusy } = making;
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const first = form.current?.querySelector<HTMLElement>('input[type=text]');
    (invalid ?? (step === NAME_STEP ? first : undefined) ?? heading.current)?.focus();
  }, [step, problems]);
  if (made !== undefined) {
    return (
      <Dialog title={words.doneTitle(made.community.name)} onClose={onClose}>
        <Done made={made} />
      </Dialog>
    );
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        ref={form}
        class="account-form create-form"
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          making.next();
        }}
      >
        <div class="create-head">
          <p class="hint">{words.step(step + 1, STEPS)}</p>
          <progress max={STEPS} value={step + 1} aria-hidden="true" />
          <h3 ref={heading} tabIndex={-1}>
            {words.steps[step]}
          </h3>
        </div>
        <p class={problems.form === undefined ? 'form-problem-none' : 'form-problem'} role="alert">
          {problems.form}
        </p>
        <Step step={step} draft={draft} problems={problems} onChange={making.change} />
        <div class="form-end create-end">
          {step > 0 && (
            <button type="button" class="button" onClick={making.back}>
              {words.back}
            </button>
          )}
          <button type="submit" class="button button-primary" aria-disabled={isBusy}>
            {isBusy && <span class="spinner" aria-hidden="true" />}
            <span>{step === PLACE_STEP ? words.submit : words.next}</span>
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface StepProps {
  readonly step: number;
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (change: Partial<Draft>) => void;
}

function Step({ step, ...rest }: StepProps) {
  if (step === NAME_STEP) return <NameStep {...rest} />;
  return step === PLACE_STEP ? <PlaceStep {...rest} /> : <PurposeStep {...rest} />;
}

function useMaking() {
  const { requests } = useCommunities();
  const { create: words } = useCommunityText();
  const describe = useFailureText();
  const [draft, setDraft] = useState<Draft>(() => ({
    name: '',
    icon: undefined,
    kind: offeredKinds()[0] ?? 'messages',
    visibility: 'private',
    join: 'invite',
    slug: '',
    isSlugOwn: false,
    channels: words.firstChannel,
  }));
  const [step, setStep] = useState(NAME_STEP);
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setIsBusy] = useState(false);
  const [made, setMade] = useState<Made | undefined>(undefined);
  const submit = async () => {
    setIsBusy(true);
    try {
      setMade(await makeCommunity(draft, requests));
    } catch (error) {
      const isTaken = isSlugTaken(error);
      setProblems(isTaken ? { slug: words.slugTaken } : { form: describe(error) });
    } finally {
      setIsBusy(false);
    }
  };
  const next = () => {
    if (isBusy) return;
    const found: Problems = {
      name: step === NAME_STEP ? checkCommunityName(draft.name, words) : undefined,
      slug: step === PLACE_STEP ? checkSlug(draft.slug, words) : undefined,
    };
    setProblems(found);
    if (Object.values(found).some((problem) => problem !== undefined)) return;
    if (step === PLACE_STEP) void submit();
    else setStep(step + 1);
  };
  const change = (part: Partial<Draft>) => {
    setDraft((before) => changed(before, part));
    const names = Object.keys(part);
    setProblems(({ name, slug }) => ({
      name: names.includes('name') ? undefined : name,
      // As in a registration: what is wrong is said at once, but not while nothing is typed.
      slug: part.slug === undefined || part.slug === '' ? slug : checkSlug(part.slug, words),
    }));
  };
  return { draft, step, problems, isBusy, made, next, change, back: () => setStep(step - 1) };
}
