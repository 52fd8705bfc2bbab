/** Values that are too many for the storages that a page reads at once. */
export interface KeptStorage {
  /** The value, or undefined if there is none. Rejects if the browser forbids it. */
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  clear(): Promise<void>;
}

const DATABASE = 'hearth-kept';
const STORE = 'values';

/** The browser's database. Its methods reject if it is forbidden or full. */
export function browserKeptStorage(): KeptStorage {
  let opened: Promise<IDBDatabase> | undefined;
  const run = async (mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest) => {
    opened ??= open();
    const transaction = (await opened).transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    // Even if the page is being left.
    transaction.commit?.();
    return outcome(request);
  };
  return {
    read: (key) => run('readonly', (store) => store.get(key)),
    async write(key, value) {
      await run('readwrite', (store) => store.put(value, key));
    },
    async clear() {
      await run('readwrite', (store) => store.clear());
    },
  };
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return outcome(request);
}

function outcome<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('not stored')));
  });
}
