import { useEffect, useState } from 'preact/hooks';
import { listedRateLimit, RATE_LIMIT_NAMES, type RateLimitName } from '@hearth/protocol';
import type { InstanceRateLimits } from '@hearth/sdk';
import { useInstance } from './use-instance.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** The dialog about the instance. */
export function InstancePanel({ onClose }: { readonly onClose: () => void }) {
  const { info } = useInstance();
  const { instance: words } = useText().shell;
  const addresses = [
    [words.rest, info.oprish_url],
    [words.gateway, info.pandemonium_url],
    [words.files, info.effis_url],
  ] as const;
  return (
    <Dialog title={info.instance_name} onClose={onClose}>
      <p class={info.description === null ? 'hint' : 'instance-description'} dir="auto">
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
  const { info } = useInstance();
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

interface RateWords {
  readonly name: string;
  readonly value: (count: string, time: string, size: string) => string;
}

function RateFacts({ limits }: { readonly limits: InstanceRateLimits }) {
  const formats = useFormats();
  const rates: Partial<Record<RateLimitName, RateWords>> = useText().shell.instance.rates;
  return RATE_LIMIT_NAMES.map((each) => {
    const words = rates[each];
    const limit = listedRateLimit(limits, each);
    if (words === undefined || limit === undefined) return null;
    const time = formats.duration(limit.reset_after * 1000);
    const size = 'file_size_limit' in limit ? formats.size(limit.file_size_limit) : '';
    const value = words.value(formats.count(limit.limit), time, size);
    return <Fact key={each} name={words.name} value={value} />;
  });
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function useRateLimits(): InstanceRateLimits | 'loading' | 'failed' {
  const instance = useInstance();
  const [limits, setLimits] = useState<InstanceRateLimits | 'loading' | 'failed'>('loading');
  useEffect(() => {
    const abort = new AbortController();
    const load = async () => {
      try {
        setLimits(await instance.rateLimits({ signal: abort.signal }));
      } catch {
        if (!abort.signal.aborted) setLimits('failed');
      }
    };
    void load();
    return () => abort.abort();
  }, [instance]);
  return limits;
}
