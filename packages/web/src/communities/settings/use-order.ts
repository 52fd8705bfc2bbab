import { useFailureText } from '../describe-failure.ts';
import { useState } from 'preact/hooks';
import { useSettingsText } from './use-settings-text.ts';

interface Line {
  readonly key: string;
}

/** Shows a new order at once, until the instance has it. If it is refused, the former one is back. */
export function useOrder<Row extends Line>(
  rows: readonly Row[],
  save: (rows: readonly Row[]) => Promise<unknown>,
) {
  const { order: words, permissions } = useSettingsText();
  const describe = useFailureText(permissions.names);
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
        setProblem(words.failed(describe(error)));
      },
    );
  };
  return { shown, problem, onOrder };
}
