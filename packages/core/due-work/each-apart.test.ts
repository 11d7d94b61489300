import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import { expect, test } from "vitest";
import { eachApart } from "./each-apart.server.ts";

const nameOf = (item: number) => `Item ${item}`;

test("R1 work that fails holds up none of the others, and is reported by name with its cause", async () => {
  const done: number[] = [];
  const cause = new Error("broken");
  const work = async (item: number) => {
    if (item % 2 === 0) throw cause;
    done.push(item);
    return item !== 1;
  };
  const error: unknown = await eachApart([1, 2, 3, 4, 5], work, { nameOf }).catch((thrown: unknown) => thrown);
  expect(done).toEqual([1, 3, 5]);
  expect(error).toMatchObject({ message: "2 failed and 2 were done." });
  expect((error as AggregateError).errors).toMatchObject([
    { message: "Item 2 failed.", cause },
    { message: "Item 4 failed.", cause },
  ]);
});

test("R1 a thousand failures are counted, and a few of them reported", async () => {
  const items = Array.from({ length: 1000 }, (_, at) => at);
  const error: unknown = await eachApart(items, async () => Promise.reject(new Error("broken")), { nameOf }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ message: "1000 failed and 0 were done." });
  expect((error as AggregateError).errors).toHaveLength(20);
});

test("R1 a database that does not answer ends the work: it would fail for the others as well", async () => {
  const away = new DatabaseUnavailableError(new Error("Connection terminated"));
  let tries = 0;
  const work = async () => {
    tries += 1;
    throw away;
  };
  await expect(eachApart([1, 2, 3], work, { nameOf })).rejects.toBe(away);
  expect(tries).toBe(1);
});

test("R1 no more than is wanted is done", async () => {
  const seen: number[] = [];
  const work = async (item: number) => seen.push(item) !== 1;
  expect(await eachApart([1, 2, 3, 4, 5], work, { nameOf, max: 2 })).toBe(2);
  expect(seen).toEqual([1, 2, 3]);
});
