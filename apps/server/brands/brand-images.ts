import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import sharp from "sharp";
import { drawIcon, drawLogo, type DrawnBrand } from "./draw-logo.ts";
import { drawSocialImage } from "./draw-social-image.ts";

export interface BrandImage {
  type: "image/svg+xml" | "image/png" | "image/x-icon";
  bytes: Buffer<ArrayBuffer>;
  etag: string;
}

/** Every image of a brand, by file name. */
const drawings = {
  "logo.svg": async (brand: DrawnBrand) => text(await drawLogo(brand)),
  "icon.svg": async (brand: DrawnBrand) => text(await drawIcon(brand)),
  "icon-192.png": async (brand: DrawnBrand) => png(await drawIcon(brand, "own", 192)),
  "icon-512.png": async (brand: DrawnBrand) => png(await drawIcon(brand, "own", 512)),
  "icon-maskable-512.png": async (brand: DrawnBrand) => png(await drawIcon(brand, "maskable", 512)),
  "apple-touch-icon.png": async (brand: DrawnBrand) => png(await drawIcon(brand, "square", 180)),
  "social.png": async (brand: DrawnBrand) => png(await drawSocialImage(brand)),
  "favicon.ico": async (brand: DrawnBrand) => {
    const sizes = [16, 32, 48];
    return icon(
      await Promise.all(sizes.map(async (size) => ({ size, png: await png(await drawIcon(brand, "own", size)) }))),
    );
  },
};
export type BrandImageName = keyof typeof drawings;
export const brandImageNames = Object.keys(drawings) as BrandImageName[];

/** Enough for some sixty brands. A social image is some 60 kB. */
const MAX_KEPT = 500;

/**
 * Returns a function that draws a brand's images at the first request and caches them. A change of the brand changes
 * the key, so no old image is served.
 */
export function brandImages(): (brand: DrawnBrand, name: BrandImageName) => Promise<BrandImage> {
  const kept = new LRUCache<string, Promise<BrandImage>>({ max: MAX_KEPT });
  return (brand, name) => {
    const { slug, theme, strapline, colours, colourFile } = brand;
    const key = JSON.stringify([name, slug, theme, brand.name, strapline, colours, colourFile]);
    const known = kept.get(key);
    if (known) return known;
    const made = make(brand, name);
    kept.set(key, made);
    made.catch(() => kept.delete(key)); // Failures are not cached.
    return made;
  };
}

async function make(brand: DrawnBrand, name: BrandImageName): Promise<BrandImage> {
  const bytes = await drawings[name](brand);
  const type = name.endsWith(".svg") ? "image/svg+xml" : name.endsWith(".ico") ? "image/x-icon" : "image/png";
  return { type, bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
}

function text(svg: string): Buffer<ArrayBuffer> {
  return Buffer.from(svg);
}

/** A palette of 256 colours suffices for flat drawings, at a third of the bytes. */
async function png(svg: string): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(await sharp(Buffer.from(svg)).png({ palette: true, quality: 90, effort: 7 }).toBuffer());
}

/**
 * Returns an .ico of PNGs, which every browser since 2007 reads: a header, an entry for each image, then their bytes.
 */
function icon(images: { size: number; png: Buffer }[]): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  for (const [index, { size, png: bytes }] of images.entries()) {
    const at = 6 + 16 * index;
    header.writeUInt8(size, at);
    header.writeUInt8(size, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(bytes.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += bytes.length;
  }
  return Buffer.concat([header, ...images.map((image) => image.png)]);
}
