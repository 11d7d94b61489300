/** A store of this browser's IndexedDB, for what a page keeps on the device: an object store under each key. */
export interface DeviceStore {
  /** Runs one request in a transaction of its own, and returns its result once the transaction is complete. */
  run<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result>;
}

const STORE_NAME = "cards";

/** Returns the store of a database, which is made when it is first used. */
export function deviceStore(databaseName: string): DeviceStore {
  return {
    async run(mode, act) {
      const database = await openDatabase(databaseName);
      try {
        return await new Promise((resolve, reject) => {
          const transaction = database.transaction(STORE_NAME, mode);
          const request = act(transaction.objectStore(STORE_NAME));
          transaction.oncomplete = () => resolve(request.result);
          transaction.onerror = () => reject(transaction.error ?? new Error("The card could not be stored"));
          transaction.onabort = transaction.onerror;
        });
      } finally {
        database.close();
      }
    },
  };
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE_NAME);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("This browser allows no storage"));
  });
}
