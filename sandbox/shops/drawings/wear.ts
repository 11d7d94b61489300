import { rect, disc, ring, shape, line, type Inks } from "./pens.ts";

/** Drawings of things to wear or carry, 200 by 200. */
export const wear = {
  bag: ({ a, b, c }: Inks) =>
    line("M72 78 C72 38 128 38 128 78", c, 8) +
    shape("M52 74 H148 L158 164 Q158 172 150 172 H50 Q42 172 42 164 Z", a) +
    rect(72, 104, 56, 34, 6, b),
  belt: ({ a, b, c }: Inks) => ring(100, 108, 54, a, 16) + rect(78, 150, 44, 30, 5, c) + rect(87, 157, 26, 16, 2, b),
  boot: ({ a, b, c }: Inks) =>
    shape("M70 34 H116 V104 C138 112 164 118 166 150 V158 H66 Z", a) +
    rect(62, 154, 108, 16, 5, c) +
    line("M86 60 H114 M86 78 H114 M88 96 H116", b, 5),
  coat: ({ a, b, c }: Inks) =>
    shape("M78 38 L100 54 L122 38 L154 58 L168 126 L150 130 L140 96 L144 172 H56 L60 96 L50 130 L32 126 L46 58 Z", a) +
    shape("M84 42 L100 84 L116 42 L100 54 Z", b) +
    line("M100 84 V172", c, 4) +
    disc(108, 106, 4, c) +
    disc(108, 128, 4, c) +
    disc(108, 150, 4, c),
  dress: ({ a, b, c }: Inks) =>
    line("M82 30 V50 M118 30 V50", c, 6) +
    shape("M78 46 Q100 62 122 46 L128 92 L158 170 H42 L72 92 Z", a) +
    rect(70, 88, 60, 12, 3, b) +
    line("M90 112 L78 164 M110 112 L122 164", c, 3),
  glasses: ({ a, b, c }: Inks) =>
    disc(62, 106, 30, b) +
    disc(138, 106, 30, b) +
    ring(62, 106, 30, a, 9) +
    ring(138, 106, 30, a, 9) +
    line("M92 100 Q100 92 108 100 M32 98 L20 84 M168 98 L180 84", c, 8),
  necklace: ({ a, b, c }: Inks) =>
    line("M48 36 C50 110 76 126 100 128 C124 126 150 110 152 36", c, 6) +
    shape("M100 126 L122 150 L100 176 L78 150 Z", a) +
    shape("M100 126 L110 150 L100 176 L90 150 Z", b),
  ring: ({ a, b, c }: Inks) =>
    ring(100, 124, 42, a, 13) +
    shape("M100 84 L72 56 L84 36 H116 L128 56 Z", b) +
    line("M72 56 H128 M84 36 L94 56 L100 84 L106 56 L116 36", c, 3),
  scarf: ({ a, b, c }: Inks) =>
    shape("M54 50 Q100 84 146 50 L152 74 Q100 110 48 74 Z", a) +
    shape("M110 78 L142 70 L136 160 H100 Z", a) +
    line("M106 110 H138 M104 132 H137", b, 9) +
    line("M104 160 V176 M116 160 V176 M128 160 V176", c, 5),
  shirt: ({ a, b, c }: Inks) =>
    shape("M74 40 Q100 62 126 40 L164 62 L152 100 L134 92 V166 H66 V92 L48 100 L36 62 Z", a) +
    line("M74 40 Q100 64 126 40", c, 7) +
    rect(66, 112, 68, 16, 0, b),
  shoe: ({ a, b, c }: Inks) =>
    shape("M34 78 Q52 92 78 70 L124 112 C150 118 172 122 172 146 H30 Z", a) +
    rect(26, 142, 150, 18, 8, c) +
    line("M86 92 L102 80 M100 104 L116 92 M114 114 L128 104", b, 6),
  sock: ({ a, b, c }: Inks) =>
    shape("M72 34 H118 V100 L150 128 Q162 140 152 156 Q140 170 122 160 L80 132 Q72 126 72 114 Z", a) +
    rect(72, 34, 46, 18, 3, c) +
    rect(72, 66, 46, 12, 0, b) +
    shape("M150 128 Q162 140 152 156 Q140 170 122 160 L132 140 Z", b),
  tie: ({ a, b, c }: Inks) =>
    shape("M84 32 H116 L110 58 H90 Z", c) +
    shape("M90 58 H110 L126 140 L100 176 L74 140 Z", a) +
    line("M86 90 L116 76 M82 114 L120 98 M78 138 L124 120", b, 7),
  trousers: ({ a, b, c }: Inks) =>
    shape("M64 34 H136 L146 170 H112 L100 84 L88 170 H54 Z", a) +
    rect(64, 34, 72, 16, 2, c) +
    line("M76 60 L72 76 M124 60 L128 76", b, 5),
  umbrella: ({ a, b, c }: Inks) =>
    line("M100 92 V146 C100 170 128 170 128 150", c, 8) +
    shape("M26 98 C26 30 174 30 174 98 Q156 84 138 98 Q118 84 100 98 Q82 84 62 98 Q44 84 26 98 Z", a) +
    shape("M100 46 C84 60 64 76 62 98 Q82 84 100 98 Q118 84 138 98 C136 76 116 60 100 46 Z", b),
  watch: ({ a, b, c }: Inks) =>
    rect(82, 24, 36, 152, 8, a) +
    disc(100, 100, 44, c) +
    disc(100, 100, 34, b) +
    line("M100 100 V78 M100 100 L116 108", c, 5),
  helmet: ({ a, b, c }: Inks) =>
    shape("M34 124 C34 54 160 44 168 124 Q168 132 160 132 H42 Q34 132 34 124 Z", a) +
    line("M76 66 C66 90 64 104 64 118 M108 58 C104 84 102 100 102 118 M136 70 C138 92 138 104 138 118", b, 9) +
    line("M56 132 L82 166 L112 132", c, 6),
  suitcase: ({ a, b, c }: Inks) =>
    line("M78 64 V40 H122 V64", c, 8) +
    rect(42, 62, 116, 100, 12, a) +
    rect(62, 62, 12, 100, 0, b) +
    rect(126, 62, 12, 100, 0, b) +
    disc(66, 168, 8, c) +
    disc(134, 168, 8, c),
} satisfies Record<string, (inks: Inks) => string>;
