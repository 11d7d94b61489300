import { hash, pick } from "./hash.ts";

/** The appearance of a shop. Its name determines it, so it is always the same. */
export interface ShopLook {
  layout: "boutique" | "market" | "poster" | "ledger";
  palette: Palette;
  display: string;
  text: string;
  radius: string;
  /** The hue rotation and the size of the pattern behind the pictures. */
  pattern: number;
}

/** The colour schemes. Each pair used for text has a contrast of at least 4.5:1: ink on paper and tint, on-brand on brand, brand on paper. */
export interface Palette {
  brand: string;
  onBrand: string;
  ink: string;
  muted: string;
  paper: string;
  tint: string;
  accent: string;
}

const palettes: readonly [Palette, ...Palette[]] = [
  {
    brand: "#1d4d4f",
    onBrand: "#ffffff",
    ink: "#17211f",
    muted: "#55625f",
    paper: "#ffffff",
    tint: "#e7f0ee",
    accent: "#d99a2b",
  },
  {
    brand: "#7a2e3b",
    onBrand: "#ffffff",
    ink: "#241517",
    muted: "#6b575a",
    paper: "#fffdfb",
    tint: "#f6e9e4",
    accent: "#3f6d62",
  },
  {
    brand: "#243b7a",
    onBrand: "#ffffff",
    ink: "#141a2b",
    muted: "#545c72",
    paper: "#ffffff",
    tint: "#e8edf8",
    accent: "#e0643a",
  },
  {
    brand: "#3f5222",
    onBrand: "#ffffff",
    ink: "#1c2014",
    muted: "#5b6150",
    paper: "#fdfcf7",
    tint: "#eef0df",
    accent: "#b9552b",
  },
  {
    brand: "#111111",
    onBrand: "#ffffff",
    ink: "#111111",
    muted: "#5c5c5c",
    paper: "#ffffff",
    tint: "#f1f1ef",
    accent: "#c8ff3d",
  },
  {
    brand: "#8a3a10",
    onBrand: "#ffffff",
    ink: "#2a1a10",
    muted: "#6d5a4d",
    paper: "#fffaf3",
    tint: "#fbeedd",
    accent: "#2f6f73",
  },
  {
    brand: "#5a2d82",
    onBrand: "#ffffff",
    ink: "#1f1629",
    muted: "#62586d",
    paper: "#ffffff",
    tint: "#f1e9f8",
    accent: "#e2a500",
  },
  {
    brand: "#0b6b50",
    onBrand: "#ffffff",
    ink: "#10211c",
    muted: "#4f615a",
    paper: "#ffffff",
    tint: "#e2f4ec",
    accent: "#ff8a5c",
  },
  {
    brand: "#a3195b",
    onBrand: "#ffffff",
    ink: "#26121c",
    muted: "#6d5560",
    paper: "#fffdfd",
    tint: "#fbe8f0",
    accent: "#17677a",
  },
  {
    brand: "#3a4a57",
    onBrand: "#ffffff",
    ink: "#182026",
    muted: "#586470",
    paper: "#ffffff",
    tint: "#ebeff2",
    accent: "#c5842f",
  },
];

const displays = [
  '"Iowan Old Style", "Palatino Linotype", Palatino, "P052", serif',
  '"Avenir Next", Montserrat, Corbel, "URW Gothic", "DejaVu Sans", sans-serif',
  'Georgia, Cambria, "Times New Roman", "Tinos", serif',
  '"Gill Sans", "Gill Sans MT", Calibri, "Carlito", "Trebuchet MS", sans-serif',
  'Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", serif',
  '"Helvetica Neue", Inter, Arial, "Liberation Sans", sans-serif',
] as const;

const texts = [
  'system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif',
  'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", sans-serif',
] as const;

export function shopLook(slug: string): ShopLook {
  return {
    layout: pick(["boutique", "market", "poster", "ledger"], `${slug} layout`),
    palette: pick(palettes, `${slug} palette`),
    display: pick(displays, `${slug} display`),
    text: pick(texts, `${slug} text`),
    radius: pick(["0", "3px", "8px", "16px"], `${slug} radius`),
    pattern: hash(`${slug} pattern`) % 4,
  };
}
