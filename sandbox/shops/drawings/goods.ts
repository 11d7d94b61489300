import { rect, disc, ring, shape, line, type Inks } from "./pens.ts";

/** Things from a shelf. On a field of 200 by 200. */
export const goods = {
  basket: ({ a, b, c }: Inks) =>
    disc(76, 84, 20, b) +
    disc(112, 76, 24, "#6f9a4a") +
    disc(138, 92, 16, b) +
    shape("M36 96 H164 L150 164 Q149 170 142 170 H58 Q51 170 50 164 Z", a) +
    line("M58 118 H142 M62 140 H138", c, 5),
  book: ({ a, b, c }: Inks) =>
    rect(56, 38, 92, 126, 5, a) +
    rect(56, 38, 16, 126, 5, c) +
    rect(86, 62, 46, 26, 3, b) +
    line("M88 106 H130 M88 120 H116", b, 4),
  bottle: ({ a, b, c }: Inks) =>
    rect(88, 30, 24, 26, 4, c) +
    shape(
      "M90 54 H110 V70 C132 78 136 90 136 108 V162 Q136 172 126 172 H74 Q64 172 64 162 V108 C64 90 68 78 90 70 Z",
      a,
    ) +
    rect(64, 106, 72, 40, 0, b) +
    line("M78 120 H122 M86 132 H114", c, 4),
  box: ({ a, b, c }: Inks) =>
    shape("M36 76 L100 50 L164 76 L100 104 Z", b) +
    shape("M36 76 L100 104 V172 L36 144 Z", a) +
    shape("M164 76 L100 104 V172 L164 144 Z", c) +
    line("M68 63 L132 90 V112", "#ffffff", 5),
  can: ({ a, b, c }: Inks) =>
    line("M122 92 C166 80 168 142 124 144", c, 9) +
    rect(58, 78, 68, 84, 8, a) +
    shape("M58 118 L22 76 L32 68 L58 96 Z", a) +
    rect(14, 58, 22, 16, 4, b) +
    rect(58, 98, 68, 10, 0, b),
  candle: ({ a, b, c }: Inks) =>
    shape("M100 38 C118 60 112 74 100 74 C88 74 84 60 100 38 Z", "#f0a93a") +
    line("M100 74 V88", c, 4) +
    rect(64, 88, 72, 82, 10, a) +
    rect(64, 112, 72, 34, 0, b),
  cup: ({ a, b, c }: Inks) =>
    ring(138, 112, 22, a, 11) +
    shape("M48 78 H138 V132 Q138 162 108 162 H78 Q48 162 48 132 Z", a) +
    rect(48, 98, 90, 16, 0, b) +
    line("M76 64 C70 54 82 48 76 38 M108 64 C102 54 114 48 108 38", c, 5),
  gift: ({ a, b, c }: Inks) =>
    rect(44, 92, 112, 78, 5, a) +
    rect(36, 70, 128, 28, 5, c) +
    rect(91, 70, 18, 100, 0, b) +
    line("M100 70 C70 66 66 36 84 36 C98 36 100 58 100 70 C100 58 102 36 116 36 C134 36 130 66 100 70", b, 7),
  hammer: ({ a, b, c }: Inks) =>
    `<g transform="rotate(35 100 100)">${rect(92, 66, 18, 110, 8, a)}${rect(62, 40, 82, 30, 6, c)}${rect(92, 120, 18, 56, 8, b)}</g>`,
  drill: ({ a, b, c }: Inks) =>
    rect(44, 56, 92, 42, 10, a) +
    shape("M62 96 H98 L106 164 H70 Z", a) +
    rect(62, 150, 54, 20, 5, c) +
    rect(136, 66, 20, 22, 3, c) +
    rect(156, 74, 28, 6, 2, c) +
    rect(56, 66, 40, 10, 3, b) +
    rect(104, 100, 10, 18, 4, b),
  jar: ({ a, b, c }: Inks) =>
    rect(62, 42, 76, 26, 6, c) +
    shape("M66 66 H134 Q148 76 148 92 V156 Q148 170 134 170 H66 Q52 170 52 156 V92 Q52 76 66 66 Z", a) +
    rect(52, 98, 96, 44, 0, b) +
    line("M74 114 H126 M84 126 H116", c, 4),
  kettle: ({ a, b, c }: Inks) =>
    line("M68 66 C68 30 132 30 132 66", c, 10) +
    shape("M62 64 H138 L154 150 Q156 166 142 166 H58 Q44 166 46 150 Z", a) +
    shape("M146 96 L176 78 L172 112 L150 124 Z", b) +
    rect(86, 54, 28, 12, 5, c),
  paint: ({ a, b, c }: Inks) =>
    line("M56 76 C56 26 144 26 144 76", c, 6) +
    rect(50, 74, 100, 96, 8, c) +
    rect(50, 96, 100, 52, 0, a) +
    shape(
      "M46 66 H154 V78 C146 78 148 108 138 108 C130 108 132 88 122 88 C112 88 114 120 104 120 C94 120 98 84 86 84 H46 Z",
      b,
    ),
  pen: ({ a, b, c }: Inks) =>
    `<g transform="rotate(40 100 100)">${rect(86, 22, 28, 108, 10, a)}${rect(86, 78, 28, 14, 0, b)}${shape("M88 130 H112 L100 178 Z", c)}${rect(108, 30, 8, 46, 4, c)}</g>`,
  plant: ({ a, b, c }: Inks) =>
    shape("M100 118 C60 116 48 84 52 56 C84 62 100 84 100 118 Z", "#4f8a56") +
    shape("M100 112 C102 66 124 44 152 40 C156 78 138 108 100 112 Z", "#6aa86a") +
    line("M100 124 V84", "#3c6c42", 5) +
    shape("M62 118 H138 L128 170 Q127 174 122 174 H78 Q73 174 72 170 Z", a) +
    rect(58, 112, 84, 18, 4, b) +
    line("M76 146 H124", c, 4),
  spade: ({ a, b, c }: Inks) =>
    `<g transform="rotate(28 100 100)">${rect(94, 34, 12, 92, 4, b)}${rect(78, 20, 44, 16, 8, c)}${shape("M72 118 H128 V150 Q128 172 100 186 Q72 172 72 150 Z", a)}</g>`,
  ticket: ({ a, b, c }: Inks) =>
    `<g transform="rotate(-12 100 100)">${shape("M28 66 H172 V90 A12 12 0 0 0 172 114 V138 H28 V114 A12 12 0 0 0 28 90 Z", a)}${line("M132 72 V80 M132 92 V100 M132 112 V120 M132 130 V134", "#ffffff", 4)}${rect(46, 84, 64, 12, 3, b)}${rect(46, 106, 40, 10, 3, c)}</g>`,
  toy: ({ a, b, c }: Inks) =>
    rect(34, 92, 66, 52, 6, a) +
    rect(104, 72, 54, 72, 6, b) +
    rect(48, 66, 16, 28, 3, c) +
    rect(116, 84, 30, 24, 4, "#ffffff") +
    disc(58, 150, 17, c) +
    disc(130, 150, 17, c) +
    disc(58, 150, 6, "#ffffff") +
    disc(130, 150, 6, "#ffffff"),
  weight: ({ a, b, c }: Inks) =>
    line("M76 86 C64 34 136 34 124 86", c, 14) +
    shape("M64 92 Q100 62 136 92 Q158 128 140 158 Q136 166 126 166 H74 Q64 166 60 158 Q42 128 64 92 Z", a) +
    disc(100, 124, 20, b),
  mat: ({ a, b, c }: Inks) =>
    shape("M40 84 H150 V150 Q150 160 140 160 H40 Z", a) +
    disc(40, 122, 38, c) +
    disc(40, 122, 26, b) +
    disc(40, 122, 12, c) +
    line("M92 98 H136 M92 146 H136", b, 5),
} satisfies Record<string, (inks: Inks) => string>;
