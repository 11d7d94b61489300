import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { demoBrands } from "./demo-brands.ts";
import { demoCatalogue, demoCategories } from "./demo-catalogue.ts";
import type { DemoScale } from "./demo-entry.ts";

export const catalogueFiles = {
  programmes: "awin-programmes.json",
  promotions: "awin-promotions.json",
  editorial: "farthing-retailers.json",
} as const;

/**
 * Writes a demo catalogue to `folder`, one record a line, as it is generated: memory does not grow with the scale. The files are renamed into place when all
 * three are complete; a run that is killed leaves none of them half-written.
 */
export async function writeCatalogueFiles(
  folder: string,
  scale: DemoScale,
  progress: (retailers: number) => void = () => {},
): Promise<{ retailers: number; offers: number }> {
  await mkdir(folder, { recursive: true });
  const programmes = new RecordFile(folder, catalogueFiles.programmes);
  const promotions = new RecordFile(folder, catalogueFiles.promotions);
  const editorial = new RecordFile(folder, catalogueFiles.editorial);
  const files = [programmes, promotions, editorial];
  try {
    let retailers = 0;
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
      retailers += 1;
      if (retailers % 500 === 0) progress(retailers);
    }
    await programmes.write("\n]\n");
    await promotions.write(
      `\n],\n"pagination": {"page": 1, "pageSize": ${promotions.records}, "total": ${promotions.records}}}\n`,
    );
    await editorial.write("\n]}\n");
    for (const file of files) await file.finish();
    for (const file of files) await file.publish();
    return { retailers, offers: promotions.records };
  } catch (error) {
    for (const file of files) await file.discard();
    throw error;
  }
}

class RecordFile {
  records = 0;
  private readonly target: string;
  private readonly unfinished: string;
  private readonly stream: WriteStream;

  constructor(folder: string, name: string) {
    this.target = path.join(folder, name);
    this.unfinished = `${this.target}.${process.pid}.part`;
    this.stream = createWriteStream(this.unfinished, { highWaterMark: 1 << 20 });
  }

  async write(text: string): Promise<void> {
    if (!this.stream.write(text)) await once(this.stream, "drain");
  }

  async record(value: unknown): Promise<void> {
    await this.write(`${this.records === 0 ? "" : ",\n"}${JSON.stringify(value)}`);
    this.records += 1;
  }

  async finish(): Promise<void> {
    this.stream.end();
    await once(this.stream, "finish");
  }

  async publish(): Promise<void> {
    await rename(this.unfinished, this.target);
  }

  async discard(): Promise<void> {
    this.stream.destroy();
    await rm(this.unfinished, { force: true });
  }
}
