import { keptCardMark } from "./kept-card-mark.ts";

/** What stands on the card, as it is kept: dates as text. */
export interface ShownCard {
  name: string;
  memberNumber: string;
  memberType: string | null;
  validUntil: string | null;
  memberSince: string;
}

/** All that a device needs to show a card without a connection. */
export interface KeptCard {
  card: ShownCard;
  handle: string;
  /** Signs codes; the browser gives its bytes to nobody, our own script included. */
  key: CryptoKey;
  /** What the server's clock is ahead of this device's, in ms. */
  clockOffset: number;
}

const databaseName = "farthing-digital-id";
const storeName = "cards";
const only = "card";

/** Keeps the card of whoever is signed in, in place of any other. */
export async function keepCard(card: KeptCard): Promise<void> {
  await inStore("readwrite", (store) => store.put(card, only));
  localStorage.setItem(keptCardMark, "1");
}

/** The card on this device, or null. */
export async function findKeptCard(): Promise<KeptCard | null> {
  return ((await inStore("readonly", (store) => store.get(only))) as KeptCard | undefined) ?? null;
}

/** Nothing of a card is left on the device. */
export async function forgetCard(): Promise<void> {
  await inStore("readwrite", (store) => store.clear());
  localStorage.removeItem(keptCardMark);
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = act(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error ?? new Error("The card could not be stored"));
      transaction.onabort = transaction.onerror;
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("This browser keeps nothing for us"));
  });
}
