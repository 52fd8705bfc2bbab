import { useState } from 'preact/hooks';
import { describeError } from '../../conversation/describe-error.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { useSettingsText } from './use-settings-text.ts';

interface Line {
  readonly key: string;
}

/** Shows a new order at once, until the instance has it. If it is refused, the former one is back. */
export function useOrder<Row extends Line>(
  rows: readonly Row[],
  save: (rows: readonly Row[]) => Promise<unknown>,
) {
  const text = useText();
  const formats = useFormats();
  const { order: words } = useSettingsText();
  const [ordered, setOrdered] = useState<readonly string[] | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const isSame = ordered?.length === rows.length && ordered.every((key) => byKey.has(key));
  const shown = isSame ? ordered.flatMap((key) => byKey.get(key) ?? []) : rows;
  const onOrder = (next: readonly Row[]) => {
    setOrdered(next.map(({ key }) => key));
    setProblem(undefined);
    save(next).then(
      () => {},
      (error: unknown) => {
        setOrdered(undefined);
        setProblem(words.failed(describeError(error, text, formats)));
      },
    );
  };
  return { shown, problem, onOrder };
}
