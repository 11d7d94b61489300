import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { constants, crc32, deflateRaw } from "node:zlib";
import type { FavouriteKey } from "@farthing/core/favourites/schema.ts";
import escapeHtml from "escape-html";
import type { KeptPage } from "./page-store.ts";
import { notStored, type Rendered } from "./stored-page.ts";

/**
 * Stands for the member's name while a page is rendered for all members (decision 032). Each process has its own, so
 * that no text in the catalogue or in an address can be it.
 */
export const MEMBER_NAME_HOLE = `[name-of-member-${randomBytes(12).toString("hex")}]`;

/** The same for the pseudonym of the member's telemetry (T2). */
export const TELEMETRY_USER_HOLE = `[telemetry-user-${randomBytes(12).toString("hex")}]`;

/** The same for the sentence about the member's money. */
export const MONEY_HOLE = `[money-of-member-${randomBytes(12).toString("hex")}]`;

const holes = { [MEMBER_NAME_HOLE]: "name", [TELEMETRY_USER_HOLE]: "telemetryUser", [MONEY_HOLE]: "money" } as const;
type Hole = (typeof holes)[string];

/** Splits a page at its holes, and keeps them. */
const HOLES = new RegExp(
  `(${Object.keys(holes)
    .map((hole) => hole.replaceAll(/[[\]]/g, String.raw`\$&`))
    .join("|")})`,
);

/** A page that was rendered once for all members of a brand, with holes for what belongs to one. */
export interface MembersPage extends KeptPage {
  /** Headers of every copy, without those of its body. */
  headers: [string, string][];
  /** The HTML around the holes. */
  parts: Part[];
}

interface Part {
  /** What stands before it; null for the first part. */
  hole: Hole | null;
  html: Buffer;
  /** `html` as raw deflate that ends on a byte and refers to nothing before it, so that parts can be joined. */
  deflated: Buffer;
  /** The favourite buttons in `html`, none of which is pressed. */
  hearts: Heart[];
}

/** The place of a favourite button's start tag, in bytes. */
interface Heart {
  key: string;
  start: number;
  end: number;
}

const compressPart = promisify(deflateRaw);

/** Returns the kept form of a page that was rendered with MEMBER_NAME_HOLE for a name and without favourites. */
export async function membersPage({ body, headers, now, freshMs, staleMs, ...place }: Rendered): Promise<MembersPage> {
  // Texts and holes by turns.
  const pieces = body.toString().split(HOLES);
  const parts = await Promise.all(
    pieces
      .filter((_, at) => at % 2 === 0)
      .map(async (text, at): Promise<Part> => {
        const hole = holes[pieces[at * 2 - 1] ?? ""] ?? null;
        const html = Buffer.from(text);
        const deflated = await compressPart(html, { level: 6, finishFlush: constants.Z_FULL_FLUSH });
        return { hole, html, deflated: Buffer.from(deflated), hearts: heartsIn(text) };
      }),
  );
  const own = [...headers].filter(([name]) => !notStored.has(name));
  const letters = [place.key, place.origin, place.path, ...own.flat()].reduce((sum, { length }) => sum + length, 0);
  return {
    ...place,
    headers: own,
    parts,
    freshUntil: now + freshMs,
    staleUntil: now + freshMs + staleMs,
    refreshing: false,
    bytes: 2_048 + 2 * letters + parts.reduce((sum, part) => sum + bytesOf(part), 0),
  };
}

const bytesOf = ({ html, deflated, hearts }: Part) => html.length + deflated.length + 200 * hearts.length;

const HEART = /<button\b[^>]*\bname="add"[^>]*>/g;

function heartsIn(html: string): Heart[] {
  const hearts: Heart[] = [];
  let bytes = 0;
  let read = 0;
  for (const { 0: tag, index } of html.matchAll(HEART)) {
    const key = / value="([^"]*)"/.exec(tag)?.[1];
    if (key === undefined || !tag.includes(' aria-pressed="false"')) continue;
    bytes += Buffer.byteLength(html.slice(read, index));
    const end = bytes + Buffer.byteLength(tag);
    hearts.push({ key, start: bytes, end });
    bytes = end;
    read = index + tag.length;
  }
  return hearts;
}

/** What a page shows of one member. */
export interface MemberWords {
  name: string;
  /** The pseudonym of the member's telemetry; empty where the page has no place for it. */
  telemetryUser: string;
  /** A sentence about the member's money; empty where the page has no place for it. */
  money: string;
  favourites: readonly FavouriteKey[];
}

/** Returns the page of one member. */
export function fillPage({ parts }: MembersPage, words: MemberWords): Buffer<ArrayBuffer> {
  const kept: ReadonlySet<string> = new Set(words.favourites);
  return joined(
    parts.map((part) => ({ hole: part.hole, bytes: fillHearts(part, kept) })),
    (hole) => Buffer.from(escapeHtml(words[hole])),
  );
}

/**
 * Returns the page of one member as gzip (RFC 1952). The parts are compressed already, so only the member's name and
 * the checksum are new; a part with a favourite of the member's is compressed again.
 */
export async function fillPageAsGzip(page: MembersPage, words: MemberWords): Promise<Buffer<ArrayBuffer>> {
  const kept: ReadonlySet<string> = new Set(words.favourites);
  const whole = fillPage(page, words);
  const deflated = await Promise.all(
    page.parts.map(async (part) => ({
      hole: part.hole,
      bytes: part.hearts.some(({ key }) => kept.has(key))
        ? await compressPart(fillHearts(part, kept), { level: 4, finishFlush: constants.Z_FULL_FLUSH })
        : part.deflated,
    })),
  );
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(whole));
  trailer.writeUInt32LE(whole.length, 4);
  return Buffer.concat([
    GZIP_HEADER,
    joined(deflated, (hole) => storedBlock(Buffer.from(escapeHtml(words[hole])))),
    LAST_BLOCK,
    trailer,
  ]);
}

/** Deflate, no name, no time, written on Unix. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
/** An empty stored block that ends the stream (RFC 1951, 3.2.4). */
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);
/** The length of a stored block's bytes. */
const MAX_STORED = 0xffff;

/** Returns bytes as a block of a deflate stream that is not compressed. A name is far shorter than a block. */
function storedBlock(bytes: Buffer): Buffer {
  if (bytes.length > MAX_STORED) throw new RangeError(`A stored block holds at most ${MAX_STORED} bytes.`);
  const head = Buffer.from([0, 0, 0, 0, 0]);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & MAX_STORED, 3);
  return Buffer.concat([head, bytes]);
}

function fillHearts({ html, hearts }: Part, kept: ReadonlySet<string>): Buffer {
  const pressed = hearts.filter(({ key }) => kept.has(key));
  if (pressed.length === 0) return html;
  const pieces: Buffer[] = [];
  let read = 0;
  for (const { start, end } of pressed) {
    const tag = html.subarray(start, end).toString();
    pieces.push(html.subarray(read, start));
    pieces.push(
      Buffer.from(
        tag.replace(' name="add"', ' name="remove"').replace(' aria-pressed="false"', ' aria-pressed="true"'),
      ),
    );
    read = end;
  }
  return Buffer.concat([...pieces, html.subarray(read)]);
}

/** Returns the parts with what belongs into the holes before them. */
function joined(
  parts: readonly { hole: Hole | null; bytes: Buffer }[],
  filling: (hole: Hole) => Buffer,
): Buffer<ArrayBuffer> {
  return Buffer.concat(parts.flatMap(({ hole, bytes }) => (hole === null ? [bytes] : [filling(hole), bytes])));
}
