import { type FileHandle, open, rename, rm } from "node:fs/promises";
import path from "node:path";

/** Text in memory that is written at once, in characters. */
const MAX_UNWRITTEN = 1 << 20;

/** A file that is written under another name until it is published. Every error rejects the call that meets it. */
export class RecordFile {
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

  /** Writes a record on a new line: an object as JSON after a comma, text (an XML element) as it is. */
  async record(value: object | string): Promise<void> {
    const [separator, text] = typeof value === "string" ? ["\n", value] : [",\n", JSON.stringify(value)];
    await this.write(`${this.records === 0 ? "" : separator}${text}`);
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
