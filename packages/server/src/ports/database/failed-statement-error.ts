/** Rejects a transaction whose work has hidden that a statement failed. */
export function failedStatementError(): Error {
  return new Error('a statement of the transaction had failed');
}
