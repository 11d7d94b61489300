import { NOW } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { checkCode, checkLimit } from "./check-code.server.ts";
import { deviceSecret, signOf } from "./device-secret.ts";
import type { Device } from "./digital-id-view.ts";
import { issueDevice, keepDevice } from "./operations.server.ts";
import { findDigitalId } from "./queries.server.ts";
import { stepAt } from "./rules.ts";

const { db } = await testDatabase();
const key = "the server's key for digital IDs";
let brandId: string;
let otherBrandId: string;
let addresses = 0;

beforeAll(async () => {
  ({ id: brandId } = await insertBrand(db));
  ({ id: otherBrandId } = await insertBrand(db));
});

async function verified(): Promise<{ id: string; sessionId: string; device: Device }> {
  const { id, sessionId } = await insertSignedInMember(db, { brandId });
  await db.updateTable("members").set({ verification: "verified" }).where("id", "=", id).execute();
  const device = await issueDevice(db, { brandId, memberId: id, sessionId, now: NOW });
  if (!device) throw new Error("No device");
  return { id, sessionId, device };
}

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const codeAt = ({ id, handle }: Device, at = NOW, signingKey = key) =>
  handle + signOf(deviceSecret({ id, brandId, key: signingKey }), handle, stepAt(at.getTime()));
const check = async (code: string, { now = NOW, brand = brandId, address = `192.0.2.${(addresses += 1)}` } = {}) =>
  (await checkCode(db, { brandId: brand, code, address, key, now })).outcome;

describe("devices", () => {
  test("M6 a session has one device, also for two concurrent tabs", async () => {
    const { id, sessionId, device } = await verified();
    const again = await Promise.all(
      Array.from({ length: 8 }, () => issueDevice(db, { brandId, memberId: id, sessionId, now: NOW })),
    );
    for (const one of again) expect(one).toEqual(device);
    const fresh = await insertSignedInMember(db, { brandId });
    await db.updateTable("members").set({ verification: "verified" }).where("id", "=", fresh.id).execute();
    const both = await Promise.all(
      Array.from({ length: 8 }, () =>
        issueDevice(db, { brandId, memberId: fresh.id, sessionId: fresh.sessionId, now: NOW }),
      ),
    );
    expect(new Set(both.map((one) => one?.handle)).size).toBe(1);
  });

  test.each(["unverified", "submitted", "rejected", "lapsed"])(
    "M6 a member who is %s gets no device",
    async (verification) => {
      const { id, sessionId } = await insertSignedInMember(db, { brandId });
      await db.updateTable("members").set({ verification }).where("id", "=", id).execute();
      expect(await issueDevice(db, { brandId, memberId: id, sessionId, now: NOW })).toBeNull();
    },
  );

  test("S1 another member's, another brand's or an expired session gets no device", async () => {
    const one = await verified();
    const other = await verified();
    const ask = (from: { brandId: string; memberId: string; sessionId: string; now: Date }) => issueDevice(db, from);
    expect(await ask({ brandId, memberId: one.id, sessionId: other.sessionId, now: NOW })).toBeNull();
    expect(await ask({ brandId: otherBrandId, memberId: one.id, sessionId: one.sessionId, now: NOW })).toBeNull();
    const atItsEnd = later(7 * 86_400);
    const own = { brandId, memberId: one.id, sessionId: one.sessionId };
    expect(await ask({ ...own, now: atItsEnd })).toBeNull();
    expect(await ask({ ...own, now: new Date(atItsEnd.getTime() - 1) })).toEqual(one.device);
  });

  test("M2 a device moves to the session that replaces its own, but not to another member's", async () => {
    const one = await verified();
    const next = await insertSignedInMember(db, { brandId });
    const tokenOf = async (sessionId: string) =>
      (await db.selectFrom("member_sessions").select("token").where("id", "=", sessionId).executeTakeFirstOrThrow())
        .token;
    const [fromToken, strangers] = [await tokenOf(one.sessionId), await tokenOf(next.sessionId)];
    await keepDevice(db, { brandId, fromToken, toToken: strangers });
    await db.updateTable("member_sessions").set({ member_id: one.id }).where("id", "=", next.sessionId).execute();
    await keepDevice(db, { brandId: otherBrandId, fromToken, toToken: strangers });
    const deviceOf = (sessionId: string) =>
      db.selectFrom("digital_id_devices").select("handle").where("session_id", "=", sessionId).executeTakeFirst();
    expect(await deviceOf(one.sessionId)).toEqual({ handle: one.device.handle });
    await keepDevice(db, { brandId, fromToken, toToken: strangers });
    await db.deleteFrom("member_sessions").where("id", "=", one.sessionId).execute();
    expect(await check(codeAt(one.device))).toBe("valid");
  });

  test("M6 the card is shown only to its member, in their brand", async () => {
    const { id } = await verified();
    expect(await findDigitalId(db, { brandId, memberId: id })).toMatchObject({
      verification: "verified",
      hasOpenRequest: false,
      card: { name: "A Member", validUntil: null },
    });
    expect(await findDigitalId(db, { brandId: otherBrandId, memberId: id })).toBeNull();
  });
});

describe("checking", () => {
  test("M6 a code is valid in its step and one to each side", async () => {
    const { device } = await verified();
    const code = codeAt(device);
    const begun = stepAt(NOW.getTime()) * 30_000;
    const at = (ms: number) => check(code, { now: new Date(begun + ms) });
    expect(await at(0)).toBe("valid");
    expect(await at(-30_000)).toBe("valid");
    expect(await at(59_999)).toBe("valid");
    expect(await at(60_000)).toBe("not-valid");
    expect(await at(-30_001)).toBe("not-valid");
    expect(await at(86_400_000)).toBe("not-valid");
  });

  test("M6 checking a code again gives the same answer", async () => {
    const { device } = await verified();
    for (const _ of [1, 2, 3]) expect(await check(codeAt(device))).toBe("valid");
  });

  test("S1 forged, other devices', wrongly signed and invented codes are invalid", async () => {
    const one = await verified();
    const other = await verified();
    const [code, theirs] = [codeAt(one.device), codeAt(other.device)];
    expect(await check(code.slice(0, 6) + theirs.slice(6))).toBe("not-valid");
    expect(await check(codeAt(one.device, NOW, "another key"))).toBe("not-valid");
    for (let place = 6; place < 12; place += 1) {
      const wrong = code.charAt(place) === "7" ? "8" : "7";
      expect(await check(code.slice(0, place) + wrong + code.slice(place + 1))).toBe("not-valid");
    }
    for (const made of ["", "000000000000", "ZZZZZZZZZZZZ", "' or true --", `${code}${code}`])
      expect(await check(made)).toBe("not-valid");
  });

  test("B4 a code is invalid in another brand", async () => {
    const { device } = await verified();
    expect(await check(codeAt(device), { brand: otherBrandId })).toBe("not-valid");
    expect(await check(codeAt(device))).toBe("valid");
  });

  test.each([
    ["signed out", (id: string) => db.deleteFrom("member_sessions").where("member_id", "=", id).execute()],
    ["suspended", (id: string) => db.updateTable("members").set({ suspended_at: NOW }).where("id", "=", id).execute()],
    [
      "lapsed",
      (id: string) => db.updateTable("members").set({ verification: "lapsed" }).where("id", "=", id).execute(),
    ],
    [
      "of an expired session",
      (id: string) => db.updateTable("member_sessions").set({ expires_at: NOW }).where("member_id", "=", id).execute(),
    ],
  ])("M6 the code of a member who is %s becomes invalid at once", async (_, change) => {
    const { id, device } = await verified();
    expect(await check(codeAt(device))).toBe("valid");
    await change(id);
    expect(await check(codeAt(device))).toBe("not-valid");
  });

  test("S1 guessing is slowed down, and a till with valid codes never is", async () => {
    const { device } = await verified();
    const [till, guesser] = ["198.51.100.1", "198.51.100.2"];
    for (let number = 0; number < checkLimit.free + 5; number += 1)
      expect(await check(codeAt(device), { address: till })).toBe("valid");
    const outcomes = new Set<string>();
    for (let number = 0; number < checkLimit.free; number += 1)
      outcomes.add(await check("K7Q29MXA4TBD", { address: guesser }));
    expect([...outcomes]).toEqual(["not-valid"]);
    expect(await check("K7Q29MXA4TBD", { address: guesser })).toBe("slow-down");
    // A valid code is delayed too, so that the delay does not reveal it.
    expect(await check(codeAt(device), { address: guesser })).toBe("slow-down");
    expect(await check(codeAt(device), { address: till })).toBe("valid");
  });
});
