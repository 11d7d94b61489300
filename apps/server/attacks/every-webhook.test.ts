import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { newId } from "@farthing/db/uuid.ts";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../env.ts";
import { newAddress, realServer } from "./real-server.testing.ts";

// What other companies' servers post, with the signature or the secret that lets it in. every-input.test.ts posts to the same addresses without
// them, so nobody reads its bodies.

/** The card provider's API: it knows no payment. */
const api = createServer((_, response) => {
  const error = { type: "invalid_request_error", code: "resource_missing", message: "No such payment_intent" };
  response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ error }));
});
await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  api.closeAllConnections();
  api.close();
});

const errorLines: string[] = [];
const settings = { STRIPE_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}` };
const server = await realServer({ settings, onErrorLine: (line) => void errorLines.push(line.slice(0, 800)) });
const host = "one.test";
/** A development machine's, whose secrets are published. */
const config = readConfig({});
const pushing = Object.entries(config.networks).flatMap(([slug, { pushSecret }]) =>
  pushSecret === null ? [] : [{ slug, path: `/webhooks/${slug}/${pushSecret}` }],
);

beforeAll(async () => {
  await insertBrand(server.db, { slug: "one", isDefault: true });
  const networks = allNetworks.map(({ slug, name }) => ({ id: newId(), slug, name }));
  await server.db
    .insertInto("networks")
    .values(networks)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
});
beforeEach(() => void errorLines.splice(0));

const NUL = "a\\u0000b";
const HALF = "a\\ud800b";
const long = `"${"a".repeat(9000)}"`;
/** Values that no field expects, as JSON. The last two are no text. */
const oddValues = ["null", "[]", "{}", "-1", "1e400", "true", '""', '"🎁"', long, `"${NUL}"`, `"${HALF}"`];
const isUnreadable = (body: string) =>
  [NUL, HALF].some((odd) => body.includes(odd) || body.includes(encodeURIComponent(odd))) ||
  /%00|%ED%A0%80|%FF/.test(body);

const written = (fields: Record<string, string>) =>
  `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(",")}}`;
const noEvents = [...oddValues, "", "{", "[".repeat(50_000)];

/** Events of the card provider, each with one field that is odd. */
function cardEvents(): string[] {
  const object = { object: '"payment_intent"', id: '"pi_1"', payment_intent: '"pi_1"' };
  const event = { id: '"evt_1"', type: '"payment_intent.succeeded"', data: written({ object: written(object) }) };
  const within = Object.keys(object).flatMap((name) =>
    oddValues.map((value) => written({ ...event, data: written({ object: written({ ...object, [name]: value }) }) })),
  );
  const outside = Object.keys(event).flatMap((name) => oddValues.map((value) => written({ ...event, [name]: value })));
  return [...outside, ...within, ...noEvents];
}

/** A network's pushes, each with one field that is odd: as JSON, in a form's field, and as a form. */
function pushes(): { type: string; body: string }[] {
  const fields = { transactionId: "7", ActionId: '"7"', advertiser_id: "7", order_id: '"7"' };
  const json = Object.keys(fields).flatMap((name) =>
    oddValues.map((value) => written({ ...fields, [name]: value, other: value })),
  );
  const odd = ["%00", "%ED%A0%80", "%FF", "%F0%9F%8E%81", "", "9".repeat(400)];
  return [
    ...[...json, ...noEvents].map((body) => ({ type: "application/json", body })),
    ...json.map((body) => ({ type: FORM, body: `AwinTransactionPush=${encodeURIComponent(body)}` })),
    ...Object.keys(fields).flatMap((name) => odd.map((value) => ({ type: FORM, body: `${name}=${value}` }))),
  ];
}

const FORM = "application/x-www-form-urlencoded";

async function post(path: string, type: string, body: string, headers: Record<string, string> = {}) {
  const sent = { host, from: newAddress(), headers: { "content-type": type, ...headers }, body };
  const { status } = await server.raw("POST", path, sent);
  const what = `${path} answers ${status} to ${type} ${body.slice(0, 200)}`;
  expect(errorLines, what).toEqual([]);
  expect(status, what).toBeLessThan(500);
  if (isUnreadable(body)) expect(status, what).toBe(400);
  return status;
}

function signed(body: string): Record<string, string> {
  const at = Math.floor(new Date().getTime() / 1000);
  const signature = createHmac("sha256", config.stripe!.webhookSecret).update(`${at}.${body}`).digest("hex");
  return { "stripe-signature": `t=${at},v1=${signature}` };
}

const TIMEOUT_MS = 120_000;

describe("S2 Z5 a webhook that is let in does not fail on what it says", () => {
  test(
    "S2 Z5 the card provider's, correctly signed",
    async () => {
      const statuses = new Set<number>();
      for (const body of cardEvents())
        statuses.add(await post("/webhooks/stripe", "application/json", body, signed(body)));
      expect([...statuses].toSorted((one, other) => one - other)).toEqual([200, 400]); // some are taken: the signature is right
      // Whatever type the body says it has.
      for (const body of cardEvents().filter(isUnreadable))
        expect(await post("/webhooks/stripe", "text/plain", body, signed(body))).toBe(400);
    },
    TIMEOUT_MS,
  );

  test.each(pushing)(
    "S2 Z5 $slug's, with its secret, and no text of an odd one is stored",
    async ({ path, slug }) => {
      const stored = async () =>
        await server.db
          .selectFrom("network_events as e")
          .innerJoin("networks as n", "n.id", "e.network_id")
          .where("n.slug", "=", slug)
          .select(["e.network_transaction_id as id", "e.status"])
          .execute();
      for (const { type, body } of pushes()) await post(path, type, body);
      for (const query of [
        "transactionId=%00",
        "x=%ED%A0%80",
        "transactionId=",
        "__proto__=1",
        `x=${"9".repeat(400)}`,
      ]) {
        const { status } = await server.raw("GET", `${path}?${query}`, { host, from: newAddress() });
        expect(status, query).toBe(isUnreadable(query) ? 400 : 200);
      }
      const rows = await stored();
      expect(rows.length).toBeGreaterThan(10);
      for (const { id, status } of rows) expect(status === "received" ? id : "7").toMatch(/7/);
    },
    TIMEOUT_MS,
  );
});
