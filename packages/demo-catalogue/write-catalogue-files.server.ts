import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
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

/** Text in memory that is written at once, in characters. */
const MAX_UNWRITTEN = 1 << 20;

/** A file that is written under another name until it is published. Every error rejects the call that meets it. */
class RecordFile {
  records = 0;
  private unwritten = "";
  private readonly target: string;
  private readonly unfinished: string;
  private readonly file: FileHandle;

  private constructor(target: string, unfinished: string, file: FileHandle) {
    this.target = target;
    this.unfinished = unfinished;
    this.file = file;
  }

  static async open(folder: string, name: string): Promise<RecordFile> {
    const target = path.join(folder, name);
    const unfinished = `${target}.${process.pid}.part`;
    return new RecordFile(target, unfinished, await open(unfinished, "w"));
  }

  async write(text: string): Promise<void> {
    this.unwritten += text;
    if (this.unwritten.length >= MAX_UNWRITTEN) await this.flush();
  }

  async record(value: unknown): Promise<void> {
    await this.write(`${this.records === 0 ? "" : ",\n"}${JSON.stringify(value)}`);
    this.records += 1;
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.file.close();
  }

  async publish(): Promise<void> {
    await rename(this.unfinished, this.target);
  }

  async discard(): Promise<void> {
    await this.file.close();
    await rm(this.unfinished, { force: true });
  }

  private async flush(): Promise<void> {
    const text = this.unwritten;
    this.unwritten = "";
    await this.file.appendFile(text);
  }
}
