import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { EXPORTS_BUCKET } from '@hearth/protocol';
import { RateLimitedError, systemClock, type AccountExport } from '@hearth/sdk';
import { useClients } from '../../connection/use-clients.ts';
import { useFormats } from '../../text/use-text.ts';
import { DownloadIcon } from '../../ui/icons.tsx';
import { describeProblems, useDescribing } from '../describe-problems.ts';
import { OwnExport } from '../own-export.ts';
import { useAccountText } from '../use-account-text.ts';
import { bringIntoView } from '../../lib/bring-into-view.ts';

/** Makes an archive of everything that the instance has of the reader, and offers it. */
export function ExportRow() {
  const own = useOwnExport();
  const { export: words } = useAccountText();
  const id = useId();
  const known = own.known.value;
  const isWorking = own.isRequested.value || known?.state === 'working';
  const row = useShownChanges(own);
  return (
    <section ref={row} class="settings-row" aria-labelledby={id}>
      <div class="settings-row-head">
        <div>
          <h4 id={id}>{words.title}</h4>
          <div>
            <span class="hint">{words.hint}</span>
          </div>
        </div>
        {/* It stays where it is, so that the focus does. */}
        <button
          type="button"
          class="button"
          aria-disabled={isWorking}
          onClick={() => {
            if (!isWorking) void own.request();
          }}
        >
          {isWorking && <span class="spinner" aria-hidden="true" />}
          <span>{known?.state === 'ready' ? words.again : words.start}</span>
        </button>
      </div>
      <div class="export">
        <p role="status">{useSentence(known)}</p>
        {known?.state === 'working' && <Progress {...known} />}
        {known?.state === 'ready' && <Download {...known} />}
        <p class="problem" role="alert">
          {useProblem(own)}
        </p>
      </div>
    </section>
  );
}

function useOwnExport(): OwnExport {
  const { client } = useClients();
  const own = useMemo(() => new OwnExport(client, systemClock), [client]);
  useEffect(() => {
    void own.load();
    return () => own.leave();
  }, [own]);
  return own;
}

/** Something that comes into view whenever it needs more room after the reader has asked for an archive. */
function useShownChanges({ known, isRequested, problem }: OwnExport) {
  const element = useRef<HTMLElement>(null);
  const isAsked = useRef(false);
  if (isRequested.value) isAsked.current = true;
  useEffect(() => {
    if (isAsked.current && element.current !== null) bringIntoView(element.current);
  }, [known.value?.state, problem.value]);
  return element;
}

/** Returns what is announced: the numbers are not, because they change too often. */
function useSentence(known: AccountExport | undefined): string | undefined {
  const { export: words } = useAccountText();
  const formats = useFormats();
  if (known?.state === 'working') return words.working;
  return known?.state === 'ready' ? words.ready(formats.moment(known.expires_at)) : undefined;
}

function useProblem({ known, problem }: OwnExport): string | undefined {
  const { export: words } = useAccountText();
  const describing = useDescribing();
  const error = problem.value;
  if (error instanceof RateLimitedError && error.code !== 'busy') {
    return words.wait(describing.formats.duration(error.retryAfterMs));
  }
  if (error !== undefined) return describeProblems(error, [], describing).form;
  return known.value?.state === 'failed' ? words.failed : undefined;
}

type Working = Extract<AccountExport, { state: 'working' }>;

function Progress({ done, total }: Working) {
  const { export: words } = useAccountText();
  const formats = useFormats();
  const isKnown = total > 0;
  const text = isKnown ? words.progress(formats.count(done), formats.count(total)) : undefined;
  return (
    <>
      <div
        class="progress"
        role="progressbar"
        aria-label={words.title}
        aria-valuemin={0}
        aria-valuemax={isKnown ? total : undefined}
        aria-valuenow={isKnown ? done : undefined}
        aria-valuetext={text}
      >
        <div style={{ inlineSize: `${(100 * done) / Math.max(1, total)}%` }} />
      </div>
      <p class="hint">{text}</p>
    </>
  );
}

type Ready = Extract<AccountExport, { state: 'ready' }>;

function Download({ url, size_bytes: sizeBytes }: Ready) {
  const { client } = useClients();
  const { export: words } = useAccountText();
  const formats = useFormats();
  const key = new URL(url).pathname.split('/').at(-1) ?? '';
  return (
    <a
      class="button button-primary"
      // As this page reaches the file service, which may be at another address.
      href={client.files.ownUrl(key, { bucket: EXPORTS_BUCKET })}
      download
      target="_blank"
      rel="noopener noreferrer"
    >
      <DownloadIcon />
      {words.download(formats.size(sizeBytes))}
    </a>
  );
}
