import { insertLongHistory } from "@farthing/core/cashback/insert-long-history.testing.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, tag, type TestClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
beforeAll(async () => {
  club = await openClub(db);
  await makeShop(db, { brandId: club.brand.id, networkId: (await insertNetwork(db)).id });
});

async function memberWith(entries: number) {
  const member = await club.newMember();
  await insertLongHistory(db, { brandId: club.brand.id, memberId: member.id, entries, now: NOW });
  return member;
}

type Member = Awaited<ReturnType<typeof memberWith>>;

async function open(member: Member, path = "/profile") {
  const answer = await club.get(path, { member });
  const html = await answer.text();
  const link = (rel: "prev" | "next") => /href="([^"#]*)/.exec(tag(html, "a", `rel="${rel}"`))?.[1] ?? null;
  const numbers = [...textOf(html).matchAll(/Click number ([0-9A-Z-]{14})/g)].map(([, number]) => number!);
  return { status: answer.status, text: textOf(html), numbers, newer: link("prev"), older: link("next") };
}

async function clickNumbersOf({ id }: Member): Promise<string[]> {
  const clicks = await db.selectFrom("clicks").select("click_number").where("member_id", "=", id).execute();
  return clicks.map(({ click_number: number }) => number).sort();
}

describe("C3 the pages of a member's history", () => {
  test("C3 P8 links lead without script from the newest purchases to the oldest and back", async () => {
    const member = await memberWith(45);
    const pages = [await open(member)];
    for (let older = pages[0]!.older; older !== null; older = pages.at(-1)!.older)
      pages.push(await open(member, older));
    expect(pages.map(({ status, numbers }) => [status, numbers.length])).toEqual([
      [200, 20],
      [200, 20],
      [200, 5],
    ]);
    expect(pages.flatMap(({ numbers }) => numbers).sort()).toEqual(await clickNumbersOf(member));
    const back = await open(member, pages[2]!.newer!);
    expect(back.numbers).toEqual(pages[1]!.numbers);
    expect(await open(member, back.newer!)).toMatchObject({ numbers: pages[0]!.numbers, newer: null });
  });

  test("C3 a history that fits on one page has no links to others", async () => {
    expect(await open(await memberWith(20))).toMatchObject({ status: 200, newer: null, older: null });
    expect(await open(await club.newMember())).toMatchObject({ status: 200, newer: null, older: null });
  });

  test("C3 B4 an address of another member's page shows one's own latest purchases, says so, and tells nothing of theirs", async () => {
    const [mine, other] = [await memberWith(3), await memberWith(25)];
    const foreign = (await open(other)).older!;
    const theirs = await clickNumbersOf(other);
    const unknown = await open(mine, "/profile?before=AAAAAAAAAAAAAAAAAAAAAA");
    expect(unknown.text).toContain("There is no such page of your purchases");
    for (const path of [foreign, foreign.replace("before", "after"), "/profile?before=", "/profile?after=nonsense"]) {
      const answer = await open(mine, path);
      expect(answer).toEqual({ ...unknown, status: 404 });
      expect(answer.numbers.filter((number) => theirs.includes(number))).toEqual([]);
      expect(answer.numbers.toSorted()).toEqual(await clickNumbersOf(mine));
    }
  });
});
