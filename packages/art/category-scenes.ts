import type { ScenePalette } from "./scene-palettes.ts";

interface Scene {
  palette: string;
  draw(colours: ScenePalette): string;
}

const p = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const c = (x: number, y: number, r: number, fill: string) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
const r = (x: number, y: number, w: number, h: number, fill: string, rx = 0) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${rx}" fill="${fill}"/>`;
const s = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** One scene per category of the demo catalogue, in plain shapes: one object on a ground. */
export const categoryScenes: Readonly<Record<string, Scene>> = {
  "womens-fashion": {
    palette: "blush",
    draw: ({ shade, ink, accent, light }) =>
      c(160, 112, 92, shade) +
      s("M150 30a10 10 0 1 1 10 10v8M160 48L112 72M160 48L208 72", ink, 5) +
      p("M132 62Q160 84 188 62L196 104Q190 112 182 112L214 182H106L138 112Q130 112 124 104Z", accent) +
      r(137, 108, 46, 9, ink) +
      c(136, 150, 5, light) +
      c(160, 140, 5, light) +
      c(184, 150, 5, light) +
      c(148, 168, 5, light) +
      c(174, 168, 5, light),
  },
  "mens-fashion": {
    palette: "slate",
    draw: ({ shade, ink, accent, light }) =>
      r(30, 30, 260, 170, shade, 8) +
      p("M84 200L96 74L140 48H180L224 74L236 200Z", light) +
      p("M140 48L160 82L124 104L112 64Z", ink) +
      p("M180 48L160 82L196 104L208 64Z", ink) +
      p("M150 84H170L174 98L168 106L178 172L160 190L142 172L152 106L146 98Z", accent) +
      s("M148 128L170 116M145 148L174 132M143 168L176 150", light, 4),
  },
  "kids-and-baby": {
    palette: "butter",
    draw: ({ shade, ink, accent, light }) =>
      c(252, 52, 30, shade) +
      r(52, 116, 64, 64, accent, 6) +
      r(120, 116, 64, 64, ink, 6) +
      r(86, 48, 64, 64, light, 6) +
      c(118, 80, 18, accent) +
      p("M68 164L84 132L100 164Z", light) +
      p("M138 164V132H166V140H147V144H163V152H147V156H166V164Z", light) +
      c(236, 142, 38, light) +
      p("M236 104A38 38 0 0 1 274 142H236Z", accent) +
      p("M236 180A38 38 0 0 1 198 142H236Z", ink) +
      p("M0 180H320V200H0Z", shade),
  },
  "shoes-and-bags": {
    palette: "clay",
    draw: ({ shade, ink, accent, light }) =>
      p("M0 164H320V200H0Z", shade) +
      p("M96 34H152V104Q160 112 190 116Q222 122 224 152H96Z", accent) +
      p("M92 152H228V168H188L184 162H138V168H92Z", ink) +
      r(92, 30, 64, 14, ink, 4) +
      s("M152 66L132 74M152 84L132 92M156 104L136 110", light, 5) +
      s("M244 120V104a16 16 0 0 1 32 0V120", ink, 6) +
      p("M232 116H288L294 168H226Z", light) +
      r(252, 126, 16, 10, accent, 3),
  },
  "jewellery-and-watches": {
    palette: "plum",
    draw: ({ shade, ink, accent, light }) =>
      c(160, 100, 96, shade) +
      `<circle cx="160" cy="126" r="46" fill="none" stroke="${accent}" stroke-width="13"/>` +
      p("M130 40H190L208 62L160 100L112 62Z", light) +
      p("M112 62H208L160 100Z", ink) +
      p("M130 40L142 62L160 100L112 62Z", light) +
      p("M142 62H178L160 100Z", accent) +
      s("M250 36v20M240 46h20M66 128v16M58 136h16", ink, 5),
  },
  "health-and-beauty": {
    palette: "mint",
    draw: ({ shade, ink, accent, light }) =>
      p("M0 158H320V200H0Z", shade) +
      r(96, 76, 56, 92, light, 10) +
      r(110, 52, 28, 24, ink, 4) +
      r(96, 104, 56, 34, accent) +
      r(166, 108, 72, 60, ink, 12) +
      r(162, 94, 80, 18, light, 6) +
      p("M250 168C238 120 262 84 292 72C300 112 286 150 262 168Z", accent) +
      s("M256 168L282 96", ink, 4) +
      c(64, 146, 22, light) +
      c(64, 146, 12, accent),
  },
  "glasses-and-hearing": {
    palette: "sky",
    draw: ({ shade, ink, accent, light }) =>
      c(88, 52, 34, accent) +
      p("M0 148Q80 118 160 140T320 128V200H0Z", shade) +
      `<circle cx="104" cy="112" r="44" fill="${light}" stroke="${ink}" stroke-width="12"/><circle cx="216" cy="112" r="44" fill="${light}" stroke="${ink}" stroke-width="12"/>` +
      s("M148 104q12 -12 24 0M60 100L30 86M260 100L290 86", ink, 10) +
      s("M84 110l24 -26M92 126l34 -36M196 110l24 -26M204 126l34 -36", shade, 6),
  },
  "food-and-drink": {
    palette: "leaf",
    draw: ({ shade, ink, accent, light }) =>
      p("M0 160H320V200H0Z", shade) +
      p("M104 100Q92 52 116 34Q136 52 124 100Z", ink) +
      p("M120 100Q124 60 146 50Q154 76 138 100Z", light) +
      p("M150 104L162 52Q176 44 188 52L180 104Z", accent) +
      s("M172 48V28M176 48L188 30M168 48L156 32", ink, 5) +
      c(206, 88, 24, accent) +
      s("M206 64q2 -12 12 -16", ink, 5) +
      r(84, 100, 152, 72, ink, 4) +
      s("M94 118H226M94 136H226M94 154H226", light, 7),
  },
  "eating-out": {
    palette: "tomato",
    draw: ({ shade, ink, accent, light }) =>
      r(0, 0, 320, 200, shade) +
      s("M-20 60L140 -100M-20 140L220 -100M-20 220L300 -100M60 220L340 -60M140 220L340 20M220 220L340 100", light, 10) +
      c(160, 104, 76, light) +
      c(160, 104, 58, shade) +
      p("M160 104L122 60A58 58 0 0 1 210 76Z", accent) +
      p("M126 64A53 53 0 0 1 206 79L210 76A58 58 0 0 0 122 60Z", ink) +
      c(158, 74, 7, light) +
      c(180, 84, 6, ink) +
      s("M44 54V84a10 10 0 0 0 20 0V54M54 54V156M266 156V56Q286 70 282 108H266", ink, 7),
  },
  "home-and-furniture": {
    palette: "sand",
    draw: ({ shade, ink, accent, light }) =>
      p("M0 164H320V200H0Z", shade) +
      r(128, 34, 58, 44, light) +
      p("M128 78L150 54L166 68L174 60L186 72V78Z", accent) +
      r(70, 96, 150, 46, accent, 14) +
      r(56, 116, 34, 52, ink, 12) +
      r(200, 116, 34, 52, ink, 12) +
      r(84, 130, 122, 32, ink, 6) +
      r(96, 106, 34, 30, light, 6) +
      s("M264 168V84", ink, 6) +
      p("M244 84L252 44H276L284 84Z", light) +
      r(248, 164, 32, 8, ink, 4),
  },
  "diy-and-garden": {
    palette: "moss",
    draw: ({ shade, ink, accent, light }) =>
      p("M0 166H320V200H0Z", shade) +
      p("M66 92L124 48L182 92V168H66Z", accent) +
      p("M54 96L124 40L194 96L184 106L124 60L64 106Z", ink) +
      r(104, 112, 40, 56, ink) +
      s("M108 118L140 164M140 118L108 164", light, 4) +
      s("M234 54V124M222 54H246", ink, 7) +
      p("M216 122H252V146Q252 160 234 170Q216 160 216 146Z", light) +
      s("M284 168V118M284 150q-16 -2 -18 -18M284 156q16 -2 18 -18", ink, 5) +
      p("M268 92L276 104L284 90L292 104L300 92V110a16 16 0 0 1 -32 0Z", accent),
  },
  electronics: {
    palette: "steel",
    draw: ({ shade, ink, accent, light }) =>
      c(236, 74, 62, shade) +
      r(76, 50, 148, 98, ink, 10) +
      r(86, 60, 128, 78, light, 4) +
      c(126, 92, 20, accent) +
      p("M146 120L172 82L204 138H112Z", shade) +
      p("M56 148H244L256 164Q256 168 250 168H50Q44 168 44 164Z", ink) +
      s("M228 104V78a32 32 0 0 1 64 0V104", ink, 8) +
      r(218, 98, 20, 36, accent, 8) +
      r(282, 98, 20, 36, accent, 8),
  },
  "mobile-and-broadband": {
    palette: "violet",
    draw: ({ shade, ink, accent, light }) =>
      p("M0 200A160 160 0 0 1 320 200Z", shade) +
      s("M92 66a92 92 0 0 1 136 0M114 84a62 62 0 0 1 92 0", accent, 11) +
      r(120, 92, 80, 130, ink, 14) +
      r(129, 104, 62, 110, light, 6) +
      s("M144 124H176M144 142H164", shade, 8) +
      c(174, 172, 12, accent) +
      s("M60 40v18M51 49h18M262 60v14M255 67h14", ink, 5),
  },
  "energy-insurance-and-money": {
    palette: "harbour",
    draw: ({ shade, ink, accent, light }) =>
      p("M0 166H320V200H0Z", shade) +
      r(116, 120, 88, 50, light) +
      p("M106 124L160 84L214 124Z", ink) +
      r(148, 138, 24, 32, accent) +
      p(
        "M60 100A100 92 0 0 1 260 100Q244 84 227 100Q210 84 193 100Q176 84 160 100Q144 84 127 100Q110 84 93 100Q76 84 60 100Z",
        accent,
      ) +
      p("M127 100Q130 40 160 8Q190 40 193 100Q176 84 160 100Q144 84 127 100Z", ink) +
      s("M48 128l-8 20M72 140l-8 20M264 128l-8 20M284 146l-8 20", ink, 5),
  },
  "holidays-and-flights": {
    palette: "lagoon",
    draw: ({ shade, ink, accent, light }) =>
      c(238, 66, 36, accent) +
      p("M0 124H320V200H0Z", shade) +
      p("M120 124Q160 84 206 108T320 96V124Z", ink) +
      p("M92 40V132H36Q66 96 92 40Z", light) +
      p("M100 58Q124 96 130 132H100Z", accent) +
      p("M28 138H146L128 158H48Z", ink) +
      s("M168 152q10 -10 20 0t20 0t20 0M40 178q10 -10 20 0t20 0t20 0M200 180q10 -10 20 0t20 0", light, 6) +
      s("M170 38l14 8l18 -6M206 62l12 6l14 -8", ink, 5),
  },
  "hotels-and-uk-breaks": {
    palette: "dusk",
    draw: ({ shade, ink, accent, light }) =>
      c(244, 54, 26, light) +
      c(254, 48, 24, "#2d3a5e") +
      p("M0 140L70 84L130 130L210 70L320 140V200H0Z", shade) +
      p("M0 164Q90 140 180 160T320 156V200H0Z", ink) +
      p("M104 164L148 92L192 164Z", light) +
      p("M138 164L148 122L158 164Z", accent) +
      p("M148 92L192 164H206L155 84Z", accent) +
      s("M236 170V140", ink, 6) +
      p("M236 84L258 124H247L262 150H210L225 124H214Z", ink) +
      c(60, 48, 2.5, light) +
      c(112, 34, 2.5, light) +
      c(176, 46, 2.5, light) +
      c(86, 70, 2, light),
  },
  "days-out-and-cinema": {
    palette: "velvet",
    draw: ({ shade, ink, accent, light }) =>
      p("M0 0H320L220 200H100Z", shade) +
      c(160, 78, 46, light) +
      c(160, 78, 12, ink) +
      c(160, 50, 9, ink) +
      c(187, 70, 9, ink) +
      c(177, 102, 9, ink) +
      c(143, 102, 9, ink) +
      c(133, 70, 9, ink) +
      `<g transform="rotate(-8 160 150)">${p("M84 124H236V142A10 10 0 0 0 236 162V180H84V162A10 10 0 0 0 84 142Z", accent)}${s("M200 132V172", ink, 4)}${s("M104 142H176M104 160H156", ink, 7)}</g>`,
  },
  motoring: {
    palette: "road",
    draw: ({ shade, ink, accent, light }) =>
      c(248, 60, 28, accent) +
      p("M0 120Q70 88 140 112T320 100V200H0Z", shade) +
      r(0, 156, 320, 44, ink) +
      s("M16 180H56M96 180H136M176 180H216M256 180H296", light, 6) +
      p("M62 140Q62 118 84 116L112 86Q118 80 128 80H190Q198 80 204 86L228 114Q262 116 264 140V150H62Z", accent) +
      p("M120 112L138 92H158V112ZM166 92H188L206 112H166Z", light) +
      c(106, 150, 21, ink) +
      c(106, 150, 9, light) +
      c(220, 150, 21, ink) +
      c(220, 150, 9, light),
  },
  "sports-and-outdoors": {
    palette: "alpine",
    draw: ({ shade, ink, accent, light }) =>
      c(72, 56, 24, accent) +
      p("M20 160L120 40L176 108L206 76L300 160Z", shade) +
      p("M120 40L148 74L132 82L120 70L104 82L94 72Z", light) +
      p("M0 158H320V200H0Z", ink) +
      `<circle cx="128" cy="146" r="34" fill="none" stroke="${ink}" stroke-width="7"/><circle cx="222" cy="146" r="34" fill="none" stroke="${ink}" stroke-width="7"/>` +
      p("M0 166H320V200H0Z", shade) +
      s("M128 146L156 98H204L222 146M156 98L172 146H128M204 98L172 146M150 90H166M204 98L198 82H214", accent, 7),
  },
  "books-learning-and-gifts": {
    palette: "paper",
    draw: ({ shade, ink, accent, light }) =>
      p("M0 168H320V200H0Z", shade) +
      r(70, 144, 124, 26, ink, 4) +
      r(84, 150, 110, 14, light) +
      r(82, 118, 124, 26, accent, 4) +
      r(82, 124, 110, 14, light) +
      r(66, 92, 118, 26, ink, 4) +
      r(80, 98, 104, 14, light) +
      s("M240 150V98M240 124q-16 -2 -18 -18M240 118q16 -2 18 -18", ink, 5) +
      c(240, 82, 10, light) +
      c(240, 66, 11, accent) +
      c(255, 77, 11, accent) +
      c(249, 94, 11, accent) +
      c(231, 94, 11, accent) +
      c(225, 77, 11, accent) +
      c(240, 82, 9, light) +
      p("M220 140H260L254 170H226Z", accent) +
      p("M108 92V64L126 76L144 64V92Z", accent),
  },
};
