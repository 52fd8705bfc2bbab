/** The error of a transaction whose work has hidden the failure of a statement. */
export function failedStatementError(): Error {
  return new Error('an earlier statement of the transaction failed');
}
