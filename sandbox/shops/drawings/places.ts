import { rect, disc, ring, shape, line, type Inks } from "./pens.ts";

/** Drawings of rooms, machines and places, 200 by 200. */
export const places = {
  bed: ({ a, b, c }: Inks) =>
    rect(34, 62, 132, 62, 10, c) +
    rect(48, 82, 44, 30, 8, "#ffffff") +
    rect(108, 82, 44, 30, 8, "#ffffff") +
    rect(26, 106, 148, 46, 8, a) +
    rect(26, 128, 148, 12, 0, b) +
    rect(32, 150, 12, 20, 3, c) +
    rect(156, 150, 12, 20, 3, c),
  bike: ({ a, b, c }: Inks) =>
    ring(56, 130, 34, c, 7) +
    ring(146, 130, 34, c, 7) +
    line(
      "M56 130 L82 82 H126 L146 130 M82 82 L102 130 L126 82 M102 130 H56 M82 82 L76 66 M66 66 H88 M126 82 L120 60 H138",
      a,
      7,
    ) +
    disc(102, 130, 9, b),
  boat: ({ a, b, c }: Inks) =>
    line("M98 38 V128", c, 6) +
    shape("M104 46 L154 118 H104 Z", b) +
    shape("M92 60 L52 118 H92 Z", "#ffffff") +
    shape("M30 130 H170 Q160 166 130 166 H66 Q40 166 30 130 Z", a),
  cabin: ({ a, b, c }: Inks) =>
    shape("M152 168 L170 96 L188 168 Z", "#5d8450") +
    shape("M28 108 L90 50 L152 108 Z", c) +
    rect(42, 104, 96, 64, 0, a) +
    rect(78, 124, 26, 44, 2, b) +
    rect(52, 118, 18, 18, 2, "#fff1c9") +
    rect(112, 118, 18, 18, 2, "#fff1c9"),
  car: ({ a, b, c }: Inks) =>
    shape(
      "M28 128 L40 98 Q44 92 52 92 H64 L82 70 Q86 66 92 66 H126 Q132 66 136 70 L154 94 L172 102 Q178 105 178 112 V134 H28 Z",
      a,
    ) +
    shape("M76 92 L90 76 H108 V92 Z M116 76 H126 L140 92 H116 Z", b) +
    disc(62, 136, 19, c) +
    disc(146, 136, 19, c) +
    disc(62, 136, 8, b) +
    disc(146, 136, 8, b),
  chair: ({ a, b, c }: Inks) =>
    rect(66, 34, 68, 74, 10, a) + rect(58, 102, 84, 20, 6, b) + line("M66 122 L60 172 M134 122 L140 172", c, 9),
  flame: ({ a, b, c }: Inks) =>
    rect(52, 34, 96, 138, 14, c) +
    shape("M100 58 C134 92 128 132 100 136 C72 132 66 104 84 90 C86 100 94 100 94 92 C94 80 92 70 100 58 Z", a) +
    shape("M100 104 C114 116 112 132 100 134 C88 132 86 118 100 104 Z", b) +
    rect(74, 150, 52, 6, 3, b),
  headphones: ({ a, b, c }: Inks) =>
    line("M48 122 V104 C48 30 152 30 152 104 V122", c, 12) +
    rect(34, 108, 34, 54, 14, a) +
    rect(132, 108, 34, 54, 14, a) +
    rect(58, 114, 12, 42, 5, b) +
    rect(130, 114, 12, 42, 5, b),
  house: ({ a, b, c }: Inks) =>
    shape("M28 102 L100 40 L172 102 Z", c) +
    rect(46, 98, 108, 72, 0, a) +
    rect(88, 120, 28, 50, 3, b) +
    rect(58, 114, 20, 20, 2, "#ffffff") +
    rect(124, 114, 20, 20, 2, "#ffffff"),
  lamp: ({ a, b, c }: Inks) =>
    shape("M72 36 H128 L150 96 H50 Z", a) +
    line("M100 96 V158", c, 8) +
    rect(66, 156, 68, 14, 7, c) +
    line("M120 96 V118", b, 4) +
    disc(120, 122, 5, b),
  laptop: ({ a, b, c }: Inks) =>
    rect(46, 50, 108, 78, 7, c) +
    rect(54, 58, 92, 62, 3, b) +
    shape("M28 132 H172 L164 150 Q162 154 156 154 H44 Q38 154 36 150 Z", a) +
    disc(124, 78, 10, a),
  mountain: ({ a, b, c }: Inks) =>
    disc(146, 62, 18, b) +
    shape("M18 162 L82 56 L126 126 L142 102 L182 162 Z", a) +
    shape("M82 56 L102 88 L84 82 L72 94 L62 90 Z", "#ffffff") +
    rect(18, 160, 164, 10, 4, c),
  paw: ({ a, b, c }: Inks) =>
    disc(100, 100, 74, b) +
    shape("M100 98 C126 98 146 142 124 150 C112 154 108 146 100 146 C92 146 88 154 76 150 C54 142 74 98 100 98 Z", a) +
    disc(62, 98, 14, c) +
    disc(86, 72, 15, c) +
    disc(116, 72, 15, c) +
    disc(140, 98, 14, c),
  phone: ({ a, b, c }: Inks) =>
    rect(60, 28, 80, 146, 16, c) +
    rect(67, 36, 66, 130, 9, a) +
    disc(88, 74, 22, b) +
    shape("M67 166 V130 L92 104 L133 146 V157 Q133 166 124 166 Z", b) +
    disc(118, 60, 8, "#ffffff"),
  pram: ({ a, b, c }: Inks) =>
    shape("M40 92 A60 60 0 0 1 100 36 V92 Z", b) +
    shape("M40 92 H148 Q146 136 104 136 H84 Q42 136 40 92 Z", a) +
    line("M148 92 L166 58 H182 M70 136 L58 156 M122 136 L134 156", c, 7) +
    ring(58, 160, 13, c, 7) +
    ring(134, 160, 13, c, 7),
  radio: ({ a, b, c }: Inks) =>
    line("M60 66 L120 26", c, 5) +
    rect(34, 66, 132, 98, 12, a) +
    disc(76, 116, 30, c) +
    disc(76, 116, 18, b) +
    rect(118, 84, 36, 16, 3, b) +
    disc(126, 126, 9, c) +
    disc(148, 126, 9, c),
  router: ({ a, b, c }: Inks) =>
    line("M62 118 V58 M138 118 V58", c, 8) +
    line("M80 66 Q100 48 120 66 M88 82 Q100 72 112 82", b, 7) +
    rect(34, 114, 132, 48, 12, a) +
    disc(58, 138, 6, b) +
    disc(78, 138, 6, b) +
    disc(98, 138, 6, "#ffffff"),
  screen: ({ a, b, c }: Inks) =>
    rect(26, 42, 148, 98, 8, c) +
    rect(34, 50, 132, 82, 3, a) +
    shape("M34 132 V104 L76 72 L112 104 L134 88 L166 114 V132 Z", b) +
    rect(90, 138, 20, 20, 0, c) +
    rect(62, 156, 76, 10, 5, c),
  sim: ({ a, b, c }: Inks) =>
    shape("M58 34 H118 L146 62 V158 Q146 168 136 168 H64 Q54 168 54 158 V38 Q54 34 58 34 Z", a) +
    rect(72, 92, 56, 52, 7, b) +
    line("M100 92 V144 M72 110 H92 M72 126 H92 M108 110 H128 M108 126 H128", c, 4),
  sofa: ({ a, b, c }: Inks) =>
    rect(44, 58, 112, 64, 16, a) +
    rect(26, 90, 36, 62, 16, c) +
    rect(138, 90, 36, 62, 16, c) +
    rect(56, 104, 88, 40, 8, b) +
    line("M100 106 V142", c, 3) +
    rect(44, 150, 10, 16, 3, c) +
    rect(146, 150, 10, 16, 3, c),
  sun: ({ a, b, c }: Inks) =>
    disc(136, 66, 28, b) +
    shape("M18 142 Q56 124 100 142 T182 142 V172 H18 Z", a) +
    line("M74 142 C72 104 78 84 92 66", c, 7) +
    shape(
      "M92 66 C72 52 52 58 46 74 C66 70 78 70 92 66 C84 86 88 98 96 104 C102 88 100 76 92 66 C108 66 120 76 122 90 C128 70 112 56 92 66 Z",
      "#4f8a56",
    ),
  table: ({ a, b, c }: Inks) =>
    rect(26, 84, 148, 18, 6, a) +
    line("M48 102 L40 166 M152 102 L160 166", c, 10) +
    shape("M84 84 L88 58 H112 L116 84 Z", b) +
    disc(100, 48, 12, "#6aa86a"),
  tent: ({ a, b, c }: Inks) =>
    shape("M22 160 L100 44 L178 160 Z", a) +
    shape("M100 44 L74 160 H126 Z", c) +
    shape("M100 44 L100 160 H126 Z", b) +
    line("M100 44 L92 32 M100 44 L108 32", c, 5),
  tyre: ({ a, b, c }: Inks) =>
    disc(100, 102, 68, c) +
    disc(100, 102, 42, b) +
    disc(100, 102, 12, c) +
    line("M100 66 V90 M100 114 V138 M64 102 H88 M112 102 H136", a, 9) +
    ring(100, 102, 58, a, 4),
  washer: ({ a, b, c }: Inks) =>
    rect(44, 30, 112, 142, 10, a) +
    rect(44, 30, 112, 30, 10, c) +
    disc(62, 45, 7, b) +
    rect(104, 40, 40, 10, 3, b) +
    disc(100, 116, 40, c) +
    disc(100, 116, 29, b) +
    shape("M72 118 Q86 108 100 118 T128 118 A29 29 0 0 1 72 118 Z", "#ffffff"),
} satisfies Record<string, (inks: Inks) => string>;
