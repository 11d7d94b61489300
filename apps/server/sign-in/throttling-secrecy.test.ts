import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, test } from "vitest";
import { newAddress, openRecoveryClub } from "./recovery-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, logIn, add, visit } = await openRecoveryClub(db);

describe("S1 what throttling reveals", () => {
  test("S1 wrong attempts at one address of a member don't affect their other address, which answers like a stranger's", async () => {
    const owner = await club.newMember();
    const second = newAddress();
    await add(await logIn(owner.email), second);
    const answersAt = async (addresses: string[]) => {
      const answers: number[] = [];
      for (const email of addresses)
        for (let tries = 0; tries < 6; tries += 1)
          answers.push((await club.browser().post("/login", { email, password: "Wrong-2026" })).status);
      return answers;
    };
    const own = await answersAt([owner.email, second]);
    expect(own).toEqual([401, 401, 401, 401, 401, 429, 401, 401, 401, 401, 401, 429]);
    await db.deleteFrom("login_tries").execute();
    expect(await answersAt([newAddress(), newAddress()])).toEqual(own);
  });

  test("S1 an account under attack at one address looks like any other account at its other address", async () => {
    const owner = await club.newMember();
    const second = newAddress();
    await add(await logIn(owner.email), second);
    for (let number = 0; number < 36; number += 1)
      await club.accounts.logIn({ ...visit(), clientAddress: `198.18.0.${number}` }, new Request("http://x/login"), {
        email: owner.email,
        password: "Wrong-2026",
      });
    const outcomes: string[] = [];
    for (let tries = 0; tries < 4; tries += 1)
      outcomes.push(
        (
          await club.accounts.logIn({ ...visit(), clientAddress: "198.18.1.1" }, new Request("http://x/login"), {
            email: second,
            password: "Wrong-2026",
          })
        ).outcome,
      );
    expect(outcomes).toEqual(["refused", "refused", "refused", "refused"]);
  });
});
