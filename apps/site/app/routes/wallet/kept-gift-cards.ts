import { KEPT_GIFT_CARDS_MARK } from "./kept-gift-cards-mark.ts";
import type { ShownCard } from "./shown-card.ts";

const DATABASE_NAME = "farthing-gift-cards";
const STORE_NAME = "cards";

/** Stores a card on this device. */
export async function keepGiftCard(card: ShownCard): Promise<void> {
  await inStore("readwrite", (store) => store.put(card, card.publicId));
  localStorage.setItem(KEPT_GIFT_CARDS_MARK, "1");
}

/** Returns the cards on this device. */
export async function findKeptGiftCards(): Promise<ShownCard[]> {
  return await inStore<ShownCard[]>("readonly", (store) => store.getAll());
}

/** Removes every card from this device but those with a public id in `except`. */
export async function forgetGiftCards({ except = [] }: { except?: readonly string[] } = {}): Promise<void> {
  for (const { publicId } of await findKeptGiftCards())
    if (!except.includes(publicId)) await inStore("readwrite", (store) => store.delete(publicId));
  if (except.length === 0) localStorage.removeItem(KEPT_GIFT_CARDS_MARK);
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
