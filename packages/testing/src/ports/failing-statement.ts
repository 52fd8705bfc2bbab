import type { EmittingTransaction } from '../../../server/src/ports/outbox/outbox.ts';

/** A transaction in which a statement fails that writes a text. */
export function failingAt(tx: EmittingTransaction, text: string): EmittingTransaction {
  return {
    ...tx,
    sql: tx.sql,
    async many(statement) {
      if (statement.rows.some((row) => row.includes(text))) {
        await tx.run({ text: 'delete from no_such_table', values: [] });
      }
      return await tx.many(statement);
    },
  };
}
