import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Session } from '@hearth/protocol';
import { useClients } from '../../connection/use-clients.ts';
import { useFormats } from '../../text/use-text.ts';
import { describeProblems, useDescribing } from '../describe-problems.ts';
import { PhoneIcon, ScreenIcon, TerminalIcon } from '../icons.tsx';
import { OwnSessions } from '../own-sessions.ts';
import { useAccountText } from '../use-account-text.ts';
import { Loaded } from '../../conversation/loaded.tsx';

/** Shows where the reader is signed in. */
export function SessionsSection() {
  const { client } = useClients();
  const { sessions: words } = useAccountText();
  const own = useMemo(() => new OwnSessions(client), [client]);
  useEffect(() => void own.load(), [own]);
  const { status, said, problem, run } = useOutcome();
  return (
    <div class="settings-rows">
      <p>{words.text}</p>
      <p ref={status} class="success" role="status" tabIndex={-1}>
        {said}
      </p>
      <p class="problem" role="alert">
        {problem}
      </p>
      <Loaded asked={own.list.value} onRetry={() => void own.load()}>
        {(sessions) => (
          <>
            <ul class="sessions">
              {sessions.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  onEnd={() => run(own.end(session.id), words.ended)}
                />
              ))}
            </ul>
            {sessions.length > 1 ? (
              <EndOthers onEnd={() => run(own.endOthers(), words.othersEnded)} />
            ) : (
              <p class="hint">{words.noOthers}</p>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Returns what came of the last action. Its button may be gone, so what is said of it gets the focus. */
function useOutcome() {
  const describing = useDescribing();
  const status = useRef<HTMLParagraphElement>(null);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (said !== undefined) status.current?.focus();
  }, [said]);
  const run = (work: Promise<void>, sentence: string) => {
    setSaid(undefined);
    setProblem(undefined);
    work.then(
      () => setSaid(sentence),
      (error: unknown) => setProblem(describeProblems(error, [], describing).form),
    );
  };
  return { status, said, problem, run };
}

interface RowProps {
  readonly session: Session;
  readonly onEnd: () => void;
}

function SessionRow({ session, onEnd }: RowProps) {
  const { sessions: words } = useAccountText();
  const formats = useFormats();
  const { client, current, address_hint: network } = session;
  const name = client === undefined ? words.unknown : words.client(client.name, client.platform);
  const used =
    current === true ? words.usedNow : words.lastUsed(formats.moment(session.last_used_at));
  return (
    <li class="session" data-is-current={current}>
      <SessionIcon session={session} />
      <div>
        <p class="session-name">
          {name}
          {current === true && <span class="badge badge-good">{words.current}</span>}
        </p>
        <p class="hint">
          {used}
          {network !== undefined && ` · ${words.from(network)}`}
        </p>
        <p class="hint">{words.since(formats.moment(session.created_at))}</p>
      </div>
      {current !== true && (
        <button type="button" class="button" aria-label={words.endNamed(name)} onClick={onEnd}>
          {words.end}
        </button>
      )}
    </li>
  );
}

function SessionIcon({ session: { client } }: { readonly session: Session }) {
  if (client === undefined) return <ScreenIcon />;
  const { name, platform } = client;
  if (/android|iphone|ipad/i.test(platform)) return <PhoneIcon />;
  return /terminal|hearth|cli/i.test(name) ? <TerminalIcon /> : <ScreenIcon />;
}

/** Ends all other sessions, after a second press. */
function EndOthers({ onEnd }: { readonly onEnd: () => void }) {
  const { sessions: words, settings } = useAccountText();
  const [isAsked, setIsAsked] = useState<boolean | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  // Each of the two buttons takes the place of the other one.
  useEffect(() => {
    if (isAsked !== undefined) button.current?.focus();
  }, [isAsked]);
  if (isAsked !== true) {
    return (
      <button
        ref={button}
        type="button"
        class="button button-danger-quiet"
        onClick={() => setIsAsked(true)}
      >
        {words.endOthers}
      </button>
    );
  }
  return (
    <div class="confirm" role="group" aria-label={words.endOthers}>
      <p role="alert">{words.endOthersSure}</p>
      <div class="form-end">
        <button
          ref={button}
          type="button"
          class="button button-danger"
          onClick={() => {
            setIsAsked(false);
            onEnd();
          }}
        >
          {words.endOthersYes}
        </button>
        <button type="button" class="button" onClick={() => setIsAsked(false)}>
          {settings.cancel}
        </button>
      </div>
    </div>
  );
}
