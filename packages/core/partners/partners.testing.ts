import type { Db } from "@farthing/db/client.ts";
import { addApiKey, createPartner, type NewPartner } from "./operations.server.ts";

export interface TestPartner {
  id: string;
  publicId: string;
  /** The whole API key. */
  key: string;
  prefix: string;
  /** Its first allowed origin. */
  origin: string;
}

/** Creates a partner with one key; its origin is https://shop.example by default. */
export async function makePartner(db: Db, partner: Partial<NewPartner> = {}): Promise<TestPartner> {
  const { origins = ["https://shop.example"], name = "Test shop", ...rest } = partner;
  const made = await createPartner(db, { name, origins, ...rest });
  const { key, prefix } = await addApiKey(db, { partnerId: made.id });
  return { ...made, key, prefix, origin: origins[0] ?? "" };
}
