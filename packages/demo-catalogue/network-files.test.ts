import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FeedProgramme, FeedPromotion } from "@farthing/core/catalogue-imports/feed.ts";
import { fileSource } from "@farthing/core/catalogue-imports/import-source.server.ts";
import type { FeedFile } from "@farthing/core/catalogue-imports/provider.ts";
import { cjFeed } from "@farthing/providers/affiliates/cj/cj-feed.ts";
import { rakutenFeed } from "@farthing/providers/affiliates/rakuten/rakuten-feed.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoCatalogue } from "./demo-catalogue.ts";
import { demoNetworks, networkFile, writeNetworkFiles, type NetworkFile } from "./network-files.server.ts";

const scale = { seed: "files", now: new Date("2026-11-20"), retailers: 240, offers: 1100, networks: demoNetworks };
const entries = [...demoCatalogue(scale)];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "farthing-files-"));
  await writeNetworkFiles(folder, scale);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function readXml<T>(network: string, kind: NetworkFile, file: FeedFile<T>): Promise<T[]> {
  const name = networkFile(network, kind);
  expect(name).toMatch(/\.xml$/);
  const records: T[] = [];
  for await (const { value } of file.read!(fileSource(path.join(folder, name)).open()))
    records.push(file.schema.parse(value));
  return records;
}

const dayOf = (time: string) => (/T/.test(time) ? time : `${time}T00:00:00+00:00`);
const instant = (time: string | null) =>
  time === null ? null : Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(dayOf(time)) ? dayOf(time) : `${time}Z`);

test.each([
  ["cj", cjFeed],
  ["rakuten", rakutenFeed],
])("C2 the XML of %s says what the demo catalogue has, to the second", async (network, feed) => {
  const wanted = entries.filter((entry) => entry.network === network).flatMap(({ promotions }) => promotions);
  const read: FeedPromotion[] = await readXml(network, "promotions", feed.promotions);
  expect(wanted.length).toBeGreaterThan(20);
  expect(
    read.map(({ networkOfferId, networkProgrammeId, title, landingUrl, startsAt, endsAt, code }) => ({
      networkOfferId,
      networkProgrammeId,
      title,
      landingUrl,
      startsAt: instant(startsAt),
      endsAt: instant(endsAt),
      code,
    })),
  ).toEqual(
    wanted.map((promotion) => ({
      networkOfferId: String(promotion.promotionId),
      networkProgrammeId: String(promotion.advertiser.id),
      title: promotion.title,
      landingUrl: promotion.url,
      startsAt: instant(promotion.startDate),
      endsAt: instant(promotion.endDate ?? null),
      code: promotion.voucher?.code || null,
    })),
  );
});

test("C2 CJ's advertisers have their names and commission groups", async () => {
  const wanted = entries.filter(({ network }) => network === "cj").map(({ programme }) => programme);
  const read: FeedProgramme[] = await readXml("cj", "programmes", cjFeed.programmes);
  expect(read.map(({ name, commissionGroups }) => [name, commissionGroups?.map(({ groupId }) => groupId)])).toEqual(
    wanted.map(({ name, commissionGroups }) => [name, commissionGroups?.map(({ groupId }) => String(groupId))]),
  );
});

test("C2 Rakuten's advertisers are JSON, as it sends them", async () => {
  const text = await readFile(path.join(folder, networkFile("rakuten", "programmes")), "utf8");
  const { advertisers } = JSON.parse(text) as { advertisers: unknown[] };
  for (const one of advertisers) expect(rakutenFeed.programmes.schema.safeParse(one).success).toBe(true);
});
