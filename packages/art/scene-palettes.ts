/** The five colours of a scene: the ground, a shade of it, a dark, a bright and a light colour. */
export interface ScenePalette {
  ground: string;
  shade: string;
  ink: string;
  accent: string;
  light: string;
}

const of = (ground: string, shade: string, ink: string, accent: string, light: string): ScenePalette => ({
  ground,
  shade,
  ink,
  accent,
  light,
});

export const scenePalettes: Readonly<Record<string, ScenePalette>> = {
  blush: of("#f6dcd2", "#eec3b4", "#5b2331", "#d9573b", "#fff6ef"),
  slate: of("#d7dfe6", "#bccad6", "#203040", "#c6862b", "#f7f8f5"),
  butter: of("#fbe6b0", "#f4d485", "#3d3a6b", "#e06a3f", "#fffaf0"),
  clay: of("#ecd4bb", "#dfbd9b", "#4a2a1a", "#b5522a", "#fff5e8"),
  plum: of("#e3d6ea", "#cfbbdc", "#37235c", "#d59a2e", "#fbf6ff"),
  mint: of("#d3ebdf", "#b4dcca", "#12493f", "#f0815c", "#f7fffa"),
  sky: of("#d2e6f4", "#b2d3ea", "#17365f", "#ef8b3b", "#f8fcff"),
  leaf: of("#dcebc5", "#c3dba0", "#2b4a23", "#e0662f", "#fbffee"),
  tomato: of("#f9d9c4", "#f3bf9f", "#5c1f22", "#d63f31", "#fff7ee"),
  sand: of("#f3e4cb", "#e6cfa8", "#3b4a4f", "#c9663a", "#fffaf0"),
  moss: of("#dbe2c4", "#c2cea0", "#37432a", "#cf7a29", "#fbfcef"),
  steel: of("#d6dceb", "#b9c4de", "#1f2a52", "#18a58c", "#f8f9ff"),
  violet: of("#dedaf5", "#c3bdec", "#2a2266", "#ff8d5c", "#faf9ff"),
  harbour: of("#cfe3e6", "#aecfd5", "#12414d", "#f2a83b", "#f6fdfd"),
  lagoon: of("#c9ecec", "#9edbdc", "#0d4a5e", "#ff9a4d", "#fbfffd"),
  dusk: of("#2d3a5e", "#3d4d78", "#121a33", "#ffc46b", "#f7efe0"),
  velvet: of("#54203a", "#6e2e4e", "#2a0d1c", "#ffb84d", "#fff0dc"),
  road: of("#e3e4df", "#cccfc8", "#2b2f36", "#d9412f", "#ffffff"),
  alpine: of("#d5e7e0", "#b0d0c6", "#1d4453", "#f08a3c", "#fbfffd"),
  paper: of("#f4e6d8", "#e8d0b9", "#2d2f55", "#d4503f", "#fffaf3"),
};
