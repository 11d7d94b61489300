import { openWallets } from "@farthing/core/gift-cards/wallet.testing.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { DEVELOPMENT_SECRET } from "@farthing/server/environment-schema.ts";
import { deriveKey } from "@farthing/server/secrets/derive-key.ts";
import { insertMemberWithPassword, testPassword } from "@farthing/server/sign-in/accounts.testing.ts";
import { startOwnServer } from "../pages/own-server.ts";

/** Returns the response times, in ms, of a card's page with its code and without, asked for in turns by its owner. */
export async function measurePages({ views }: { views: number }): Promise<{ withCode: number[]; without: number[] }> {
  const own = await startOwnServer(4807, { roles: "web" });
  const { db, close } = openDatabase({ url: own.databaseUrl, max: 4 });
  const { url } = own.server;
  try {
    const brand = await db
      .selectFrom("brands")
      .select(["id", "slug"])
      .where("is_default", "=", true)
      .executeTakeFirstOrThrow();
    const email = "wallet@bench.example";
    const memberId = await insertMemberWithPassword(db, brand, email);
    const wallets = await openWallets(db, { brandId: brand.id, keys: [deriveKey(DEVELOPMENT_SECRET, "gift-cards")] });
    const { card, code } = await wallets.buyCard(memberId);
    const login = await fetch(`${url}/login`, {
      ...{ method: "POST", redirect: "manual", headers: { Origin: url } },
      body: new URLSearchParams({ email, password: testPassword }),
    });
    const cookie = login.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const ask = async (init: RequestInit): Promise<{ ms: number; hasCode: boolean }> => {
      const from = performance.now();
      const answer = await fetch(`${url}/money/gift-cards/${card}`, {
        ...{ ...init, redirect: "manual", headers: { Cookie: cookie, Origin: url } },
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`The card's page answered ${answer.status}.`);
      return { ms: performance.now() - from, hasCode: text.includes(code) };
    };
    const measured = { withCode: [] as number[], without: [] as number[] };
    for (let view = -10; view < views; view += 1) {
      const plain = await ask({ method: "GET" });
      const shown = await ask({ method: "POST", body: new URLSearchParams({ intent: "show" }) });
      if (plain.hasCode || !shown.hasCode) throw new Error("The pages are not the ones to compare.");
      if (view < 0) continue;
      measured.without.push(plain.ms);
      measured.withCode.push(shown.ms);
    }
    return measured;
  } finally {
    await close();
    await own.stop();
  }
}
