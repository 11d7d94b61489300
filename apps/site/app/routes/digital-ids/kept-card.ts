import { KEPT_CARD_MARK } from "./kept-card-mark.ts";

/** The text of the card as it is stored. Dates are text. */
export interface ShownCard {
  name: string;
  memberNumber: string;
  memberType: string | null;
  validUntil: string | null;
  memberSince: string;
}

/** Everything that a device needs to show a card offline. */
export interface KeptCard {
  card: ShownCard;
  handle: string;
  /** Signs codes. The browser never reveals its bytes, not even to our own script. */
  key: CryptoKey;
  /** How far the server's clock is ahead of this device's, in ms. */
  clockOffset: number;
}

const DATABASE_NAME = "farthing-digital-id";
const STORE_NAME = "cards";
const ONLY_KEY = "card";

/** Stores the card of the signed-in member, in place of any other. */
export async function keepCard(card: KeptCard): Promise<void> {
  await inStore("readwrite", (store) => store.put(card, ONLY_KEY));
  localStorage.setItem(KEPT_CARD_MARK, "1");
}

/** Returns the card on this device, or null. */
export async function findKeptCard(): Promise<KeptCard | null> {
  return ((await inStore("readonly", (store) => store.get(ONLY_KEY))) as KeptCard | undefined) ?? null;
}

/** Removes every trace of a card from the device. */
export async function forgetCard(): Promise<void> {
  await inStore("readwrite", (store) => store.clear());
  localStorage.removeItem(KEPT_CARD_MARK);
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase();
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
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE_NAME);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("This browser allows no storage"));
  });
}
