import type { ManyStatement } from '../../../server/src/ports/database/database.ts';
import type { EmittingTransaction } from '../../../server/src/ports/outbox/outbox.ts';

/** A transaction in which a statement fails that writes a text. */
export function failingAt(tx: EmittingTransaction, text: string): EmittingTransaction {
  const failIfWritten = async ({ rows }: ManyStatement) => {
    if (rows.some((row) => row.includes(text))) {
      await tx.run({ text: 'delete from no_such_table', values: [] });
    }
  };
  return {
    ...tx,
    sql: tx.sql,
    async many(statement) {
      await failIfWritten(statement);
      return await tx.many(statement);
    },
    async runMany(statement) {
      await failIfWritten(statement);
      return await tx.runMany(statement);
    },
  };
}
