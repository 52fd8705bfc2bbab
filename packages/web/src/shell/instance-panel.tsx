import { useEffect, useState } from 'preact/hooks';
import type { InstanceRateLimits, RateLimit } from '@hearth/sdk';
import { useApp } from '../app-state.ts';
import type { Formats } from '../text/formats.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** Who and what this instance is. */
export function InstancePanel({ onClose }: { readonly onClose: () => void }) {
  const { info } = useApp();
  const { instance: words } = useText().shell;
  const addresses = [
    [words.rest, info.oprish_url],
    [words.gateway, info.pandemonium_url],
    [words.files, info.effis_url],
  ] as const;
  return (
    <Dialog title={info.instance_name} onClose={onClose}>
      <p class={info.description === null ? 'hint' : 'instance-description'}>
        {info.description ?? words.noDescription}
      </p>
      <section class="panel-section">
        <h3>{words.limits}</h3>
        <LimitList />
      </section>
      <section class="panel-section">
        <h3>{words.addresses}</h3>
        <dl class="facts facts-addresses">
          {addresses.map(([name, address]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{address}</code>
                <CopyButton class="icon-button" label={words.copy(name)} text={address} />
              </dd>
            </div>
          ))}
        </dl>
        <p class="hint">{words.otherClients}</p>
      </section>
      <p class="hint">
        {words.version} <code>{info.version}</code>
      </p>
    </Dialog>
  );
}

function LimitList() {
  const { info } = useApp();
  const { instance: words } = useText().shell;
  const formats = useFormats();
  const limits = useRateLimits();
  return (
    <>
      <dl class="facts">
        <Fact
          name={words.messageLength}
          value={words.upToCharacters(formats.count(info.message_limit))}
        />
        <Fact
          name={words.fileSize}
          value={words.upToSize(formats.size(info.attachment_file_size))}
        />
        {typeof limits === 'object' && <RateFacts limits={limits} />}
      </dl>
      <p class="hint" role="status">
        {limits === 'loading' && words.limitsLoading}
        {limits === 'failed' && words.limitsFailed}
      </p>
    </>
  );
}

function RateFacts({ limits: { oprish, effis } }: { readonly limits: InstanceRateLimits }) {
  const { instance: words } = useText().shell;
  const formats = useFormats();
  const counted = (limit: RateLimit) =>
    [formats.count(limit.limit), frameOf(limit, formats)] as const;
  const { attachments, fetch_file: fetched } = effis;
  const [uploads, uploadFrame] = counted(attachments);
  const size = formats.size(attachments.file_size_limit);
  return (
    <>
      <Fact name={words.sending} value={words.messagesIn(...counted(oprish.message_create))} />
      <Fact name={words.uploading} value={words.filesAndBytesIn(uploads, size, uploadFrame)} />
      <Fact name={words.viewing} value={words.filesIn(...counted(fetched))} />
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function frameOf({ reset_after: seconds }: RateLimit, formats: Formats): string {
  return formats.duration(seconds * 1000);
}

function useRateLimits(): InstanceRateLimits | 'loading' | 'failed' {
  const { client } = useApp();
  const [limits, setLimits] = useState<InstanceRateLimits | 'loading' | 'failed'>('loading');
  useEffect(() => {
    const abort = new AbortController();
    const load = async () => {
      try {
        setLimits(await client.rest.rateLimits({ signal: abort.signal }));
      } catch {
        if (!abort.signal.aborted) setLimits('failed');
      }
    };
    void load();
    return () => abort.abort();
  }, [client]);
  return limits;
}
