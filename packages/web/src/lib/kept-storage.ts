/** Values that are too many for the storages that a page reads at once. */
export interface KeptStorage {
  /** The value, or undefined if there is none. Rejects if the browser forbids it. */
  read(key: string): Promise<unknown>;
  /** All values whose keys begin with `prefix`. */
  list(prefix: string): Promise<readonly unknown[]>;
  write(key: string, value: unknown): Promise<void>;
  /** Replaces a value by what `change` makes of it, which no other page can come between. If that is undefined, it stays. */
  change(key: string, change: (value: unknown) => unknown): Promise<unknown>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}

const KEPT = 'hearth-kept';
const STORE = 'values';

/** A database of the browser. Its methods reject if it is forbidden or full. */
export function browserKeptStorage(database = KEPT): KeptStorage {
  let opened: Promise<IDBDatabase> | undefined;
  const begin = async (mode: IDBTransactionMode) => {
    opened ??= open(database);
    return (await opened).transaction(STORE, mode);
  };
  const run = async <Result>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<Result>,
  ) => {
    const transaction = await begin(mode);
    const request = work(transaction.objectStore(STORE));
    // Even if the page is being left.
    transaction.commit?.();
    return outcome(request);
  };
  return {
    read: (key) => run<unknown>('readonly', (store) => store.get(key)),
    list: (prefix) =>
      run<unknown[]>('readonly', (store) =>
        store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uFFFF`)),
      ),
    async write(key, value) {
      await run('readwrite', (store) => store.put(value, key));
    },
    async change(key, change) {
      const store = (await begin('readwrite')).objectStore(STORE);
      const changed = change(await outcome<unknown>(store.get(key)));
      if (changed !== undefined) await outcome(store.put(changed, key));
      return changed;
    },
    async remove(key) {
      await run('readwrite', (store) => store.delete(key));
    },
    async clear() {
      await run('readwrite', (store) => store.clear());
    },
  };
}

async function open(database: string): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return outcome(request);
}

function outcome<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('not stored')));
  });
}
