import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { insertProgramme, insertRetailer } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));
const editor = await insertOperator(db, { role: "catalogue" });
const support = await insertOperator(db, { role: "support" });
const brand = await insertBrand(db);
await insertRetailer(db, { name: "Fernhollow Boots", brandIds: [brand.id] });

const PATH = "/admin/offers/file";
const upload = (content: string | Uint8Array<ArrayBuffer>, operator = editor) =>
  admin.upload(PATH, operator, { name: "file", fileName: "offers.csv", content });
const confirm = (content: string) =>
  admin.post(PATH, editor, {
    confirmed: "yes",
    fileName: "offers.csv",
    content: Buffer.from(content).toString("base64"),
  });
const textAt = async (path: string) => await (await admin.get(path, editor)).text();
const entries = () => db.selectFrom("audit_entries").selectAll().orderBy("seq").execute();
const offers = () => db.selectFrom("offers").select(["title", "status", "network_offer_id"]).execute();

test("A2 the template is filled in, looked at, applied, taken as a file again, and undone offer by offer", async () => {
  const template = await textAt("/admin/offers/file/template");
  expect(await textAt(PATH)).toContain("landing_url");
  const file = template.replace("withdrawn", "published");
  const looked = await upload(file);
  const html = await looked.text();
  expect(looked.status).toBe(200);
  expect(html).toContain("it makes 1 and changes 0");
  expect(html).toMatch(/15% off walking boots<\/td><td>made/);
  expect([await offers(), await entries()]).toEqual([[], []]);

  const done = await confirm(file);
  expect([done.status, done.headers.get("location")]).toEqual([303, `${PATH}?done`]);
  expect(await offers()).toEqual([{ title: "15% off walking boots", status: "live", network_offer_id: "summer-26" }]);
  expect((await entries()).map(({ action, actor }) => [action, actor])).toEqual([["offer.create", editor.email]]);

  const exported = await textAt("/admin/offers/own.csv");
  expect(exported).toContain("summer-26,fernhollow-boots,published,code");
  expect(await (await upload(exported)).text()).toContain("It changes nothing");
  expect((await entries()).map(({ action }) => action)).toEqual(["offer.create", "offers.export"]);

  await confirm(file.replace("15% off walking boots", "20% off walking boots"));
  const change = (await entries()).find(({ action }) => action === "offer.change")!;
  const undo = { undo: String(change.seq), confirmed: "yes", why: "the wrong file" };
  const undone = await admin.post(`/admin/offers/${change.subject_id}/history`, editor, undo);
  expect(undone.status).toBe(303);
  expect((await offers())[0]?.title).toBe("15% off walking boots");
});

test("A2 a bad file is caught in its dry run, line by line, and changes nothing, even when it is confirmed", async () => {
  const before = [await offers(), (await entries()).length];
  const template = await textAt("/admin/offers/file/template");
  const bad = template.replace("summer-26", "bad-1").replace("fernhollow-boots,", "no-such-shop,");
  const refused = await upload(bad);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toMatch(
    /1 problem[\s\S]*<td class="number">2<\/td><td class="id">bad-1<\/td><td>retailer/,
  );
  expect((await confirm(bad)).status).toBe(422);
  for (const content of ["", "{}", "a,b\r\n1,2", new Uint8Array([0xff]), "\0"])
    expect((await upload(content)).status).toBe(422);
  expect((await admin.post(PATH, editor, { confirmed: "yes", fileName: "x", content: "%%%" })).status).toBe(422);
  expect((await upload(template, support)).status).toBe(403);
  expect((await admin.get(PATH, support)).status).toBe(200);
  expect([await offers(), (await entries()).length]).toEqual(before);
});

test("A2 C1 an address that clicks would not follow is refused in the file and in the form, with the domains that are", async () => {
  const { id: networkId } = await insertNetwork(db);
  const { id: retailerId } = await insertRetailer(db, { name: "Fernhollow Hats", brandIds: [brand.id] });
  await insertProgramme(db, { networkId, retailerId });
  const template = await textAt("/admin/offers/file/template");
  const row = template.replace("summer-26", "hats-26").replace("fernhollow-boots", "fernhollow-hats");
  const own = row.replace(/https:\/\/[^,\r\n]*/, "https://www.shop.example/hats");
  const foreign = row.replace(/https:\/\/[^,\r\n]*/, "https://evil.example/hats");
  const refused = await upload(foreign);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("is elsewhere. The network takes links to shop.example only");
  expect((await confirm(own)).status).toBe(303);
  const { public_id: publicId } = await db
    .selectFrom("offers")
    .select("public_id")
    .where("network_offer_id", "=", "hats-26")
    .executeTakeFirstOrThrow();
  const changed = await upload(own.replace("www.shop.example", "evil.example"));
  expect([changed.status, (await changed.text()).includes("is elsewhere.")]).toEqual([422, true]);
  const found = await textAt("/admin/offers?q=HATS-26");
  expect(found, "a reference is found however it is typed").toContain(publicId);
});

test("A2 rows that a spreadsheet leaves empty are no offers, and a column that is there twice is refused", async () => {
  const template = await textAt("/admin/offers/file/template");
  const [head = "", ...rows] = template.trim().split("\r\n");
  const empty = ",".repeat(head.split(",").length - 1);
  const file = [head, ...rows, empty, ` ${empty}`].join("\r\n").replace("summer-26", "empty-rows");
  expect(await (await upload(file)).text()).toContain("it makes 1 and changes 0");
  const twice = [`${head},title`, ...rows.map((row) => `${row},Another title`)].join("\r\n");
  const refused = await upload(twice);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("has the column &quot;title&quot; twice");
});
