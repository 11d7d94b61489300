import { mkdir } from "node:fs/promises";
import { demoBrands } from "./demo-brands.ts";
import { demoCatalogue, demoCategories } from "./demo-catalogue.ts";
import { demoGiftCard } from "./demo-gift-cards.ts";
import type { DemoScale } from "./demo-entry.ts";
import { RecordFile } from "./record-file.server.ts";

export const catalogueFiles = {
  programmes: "awin-programmes.json",
  promotions: "awin-promotions.json",
  editorial: "farthing-retailers.json",
  giftCards: "tillo-brands.json",
} as const;

/**
 * Writes a demo catalogue to `folder`, one record a line, as it is generated: memory does not grow with the scale. The files are renamed into place when all
 * are complete; a run that is killed leaves none of them half-written.
 */
export async function writeCatalogueFiles(
  folder: string,
  scale: DemoScale,
  progress: (retailers: number) => void = () => {},
): Promise<{ retailers: number; offers: number }> {
  await mkdir(folder, { recursive: true });
  const files: RecordFile[] = [];
  const openFile = async (name: string) => {
    const file = await RecordFile.open(folder, name);
    files.push(file);
    return file;
  };
  try {
    const programmes = await openFile(catalogueFiles.programmes);
    const promotions = await openFile(catalogueFiles.promotions);
    const editorial = await openFile(catalogueFiles.editorial);
    const giftCards = await openFile(catalogueFiles.giftCards);
    let retailers = 0;
    await giftCards.write("{\n");
    await programmes.write("[\n");
    await promotions.write('{"data": [\n');
    await editorial.write(
      `{"brands": ${JSON.stringify(demoBrands)},\n"categories": [\n${demoCategories()
        .map((category) => JSON.stringify(category))
        .join(",\n")}\n],\n"retailers": [\n`,
    );
    for (const entry of demoCatalogue(scale)) {
      await programmes.record(entry.programme);
      for (const promotion of entry.promotions) await promotions.record(promotion);
      await editorial.record(entry.editorial);
      const card = JSON.stringify(demoGiftCard(scale.seed, entry));
      await giftCards.write(`${retailers === 0 ? "" : ",\n"}${JSON.stringify(entry.editorial.slug)}: ${card}`);
      retailers += 1;
      if (retailers % 500 === 0) progress(retailers);
    }
    await programmes.write("\n]\n");
    await promotions.write(
      `\n],\n"pagination": {"page": 1, "pageSize": ${promotions.records}, "total": ${promotions.records}}}\n`,
    );
    await editorial.write("\n]}\n");
    await giftCards.write("\n}\n");
    for (const file of files) await file.finish();
    for (const file of files) await file.publish();
    return { retailers, offers: promotions.records };
  } catch (error) {
    for (const file of files) await file.discard();
    throw error;
  }
}
