/** Ground, figure and a third colour, chosen to fit side by side on a page. Figure on ground has a contrast of at least 4.5 : 1 (art.test.ts). */
export interface MarkPalette {
  ground: string;
  figure: string;
  accent: string;
}

const of = (ground: string, figure: string, accent: string): MarkPalette => ({ ground, figure, accent });

export const markPalettes: readonly MarkPalette[] = [
  of("#1f4d3f", "#f4efdf", "#f2b63c"),
  of("#17324d", "#f3ead8", "#ef8354"),
  of("#5b2a4f", "#fbe9df", "#f0a35e"),
  of("#8c2f39", "#fdf0e3", "#f4c27a"),
  of("#0b5563", "#ecf6f2", "#ffc36b"),
  of("#2b2a4c", "#f6f1ff", "#ff9e7d"),
  of("#3f3a1d", "#f6f0d2", "#c9d25a"),
  of("#6b3a1e", "#fbeedd", "#f1c376"),
  of("#123f2b", "#d9f2c4", "#ffdf7e"),
  of("#20303a", "#e4eef0", "#7fd1c7"),
  of("#7a1f4b", "#ffe9f0", "#ffb199"),
  of("#1b3a8a", "#eaf0ff", "#ffd166"),
  of("#f3e3c3", "#5c2b1a", "#b5512c"),
  of("#f9d8c9", "#6b1f2e", "#c2414b"),
  of("#dcead6", "#1e4634", "#4f8a5b"),
  of("#d9e6f2", "#173a63", "#3f7fbf"),
  of("#f6e58d", "#3b3312", "#b07d12"),
  of("#e6ddf3", "#3c2a6b", "#8a63c9"),
  of("#f7efe4", "#1d2b36", "#d9583b"),
  of("#cfe8e5", "#0d4a4d", "#1f8a84"),
  of("#ffcf99", "#54240c", "#b3460f"),
  of("#2a1a1f", "#f7d9c4", "#e06d53"),
  of("#444b2e", "#f4f2dc", "#e3b23c"),
  of("#f2d4dc", "#56213f", "#a8446f"),
];
