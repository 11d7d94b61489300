/** Three colours a drawing uses: its body, its second part, its lines. */
interface Inks {
  a: string;
  b: string;
  c: string;
}

const rect = (x: number, y: number, width: number, height: number, radius: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
const disc = (x: number, y: number, radius: number, fill: string): string => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const ring = (x: number, y: number, radius: number, ink: string, width: number): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="${ink}" stroke-width="${width}"/>`;
const shape = (path: string, fill: string): string => `<path d="${path}" fill="${fill}"/>`;
const line = (path: string, ink: string, width: number): string =>
  `<path d="${path}" fill="none" stroke="${ink}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** Plain drawings of goods on a field of 200 by 200. */
const drawings = {
  bag: ({ a, b, c }: Inks) => line("M72 78 C72 38 128 38 128 78", c, 8) + shape("M52 74 H148 L158 164 Q158 172 150 172 H50 Q42 172 42 164 Z", a) + rect(72, 104, 56, 34, 6, b),
  basket: ({ a, b, c }: Inks) => disc(76, 84, 20, b) + disc(112, 76, 24, "#6f9a4a") + disc(138, 92, 16, b) + shape("M36 96 H164 L150 164 Q149 170 142 170 H58 Q51 170 50 164 Z", a) + line("M58 118 H142 M62 140 H138", c, 5),
  bed: ({ a, b, c }: Inks) => rect(34, 62, 132, 62, 10, c) + rect(48, 82, 44, 30, 8, "#ffffff") + rect(108, 82, 44, 30, 8, "#ffffff") + rect(26, 106, 148, 46, 8, a) + rect(26, 128, 148, 12, 0, b) + rect(32, 150, 12, 20, 3, c) + rect(156, 150, 12, 20, 3, c),
  belt: ({ a, b, c }: Inks) => ring(100, 108, 54, a, 16) + rect(78, 150, 44, 30, 5, c) + rect(87, 157, 26, 16, 2, b),
  bike: ({ a, b, c }: Inks) => ring(56, 130, 34, c, 7) + ring(146, 130, 34, c, 7) + line("M56 130 L82 82 H126 L146 130 M82 82 L102 130 L126 82 M102 130 H56 M82 82 L76 66 M66 66 H88 M126 82 L120 60 H138", a, 7) + disc(102, 130, 9, b),
  boat: ({ a, b, c }: Inks) => line("M98 38 V128", c, 6) + shape("M104 46 L154 118 H104 Z", b) + shape("M92 60 L52 118 H92 Z", "#ffffff") + shape("M30 130 H170 Q160 166 130 166 H66 Q40 166 30 130 Z", a),
  book: ({ a, b, c }: Inks) => rect(56, 38, 92, 126, 5, a) + rect(56, 38, 16, 126, 5, c) + rect(86, 62, 46, 26, 3, b) + line("M88 106 H130 M88 120 H116", b, 4),
  boot: ({ a, b, c }: Inks) => shape("M70 34 H116 V104 C138 112 164 118 166 150 V158 H66 Z", a) + rect(62, 154, 108, 16, 5, c) + line("M86 60 H114 M86 78 H114 M88 96 H116", b, 5),
  bottle: ({ a, b, c }: Inks) => rect(88, 30, 24, 26, 4, c) + shape("M90 54 H110 V70 C132 78 136 90 136 108 V162 Q136 172 126 172 H74 Q64 172 64 162 V108 C64 90 68 78 90 70 Z", a) + rect(64, 106, 72, 40, 0, b) + line("M78 120 H122 M86 132 H114", c, 4),
  box: ({ a, b, c }: Inks) => shape("M36 76 L100 50 L164 76 L100 104 Z", b) + shape("M36 76 L100 104 V172 L36 144 Z", a) + shape("M164 76 L100 104 V172 L164 144 Z", c) + line("M68 63 L132 90 V112", "#ffffff", 5),
  cabin: ({ a, b, c }: Inks) => shape("M152 168 L170 96 L188 168 Z", "#5d8450") + shape("M28 108 L90 50 L152 108 Z", c) + rect(42, 104, 96, 64, 0, a) + rect(78, 124, 26, 44, 2, b) + rect(52, 118, 18, 18, 2, "#fff1c9") + rect(112, 118, 18, 18, 2, "#fff1c9"),
  can: ({ a, b, c }: Inks) => line("M122 92 C166 80 168 142 124 144", c, 9) + rect(58, 78, 68, 84, 8, a) + shape("M58 118 L22 76 L32 68 L58 96 Z", a) + rect(14, 58, 22, 16, 4, b) + rect(58, 98, 68, 10, 0, b),
  candle: ({ a, b, c }: Inks) => shape("M100 38 C118 60 112 74 100 74 C88 74 84 60 100 38 Z", "#f0a93a") + line("M100 74 V88", c, 4) + rect(64, 88, 72, 82, 10, a) + rect(64, 112, 72, 34, 0, b),
  car: ({ a, b, c }: Inks) => shape("M28 128 L40 98 Q44 92 52 92 H64 L82 70 Q86 66 92 66 H126 Q132 66 136 70 L154 94 L172 102 Q178 105 178 112 V134 H28 Z", a) + shape("M76 92 L90 76 H108 V92 Z M116 76 H126 L140 92 H116 Z", b) + disc(62, 136, 19, c) + disc(146, 136, 19, c) + disc(62, 136, 8, b) + disc(146, 136, 8, b),
  chair: ({ a, b, c }: Inks) => rect(66, 34, 68, 74, 10, a) + rect(58, 102, 84, 20, 6, b) + line("M66 122 L60 172 M134 122 L140 172", c, 9),
  coat: ({ a, b, c }: Inks) => shape("M78 38 L100 54 L122 38 L154 58 L168 126 L150 130 L140 96 L144 172 H56 L60 96 L50 130 L32 126 L46 58 Z", a) + shape("M84 42 L100 84 L116 42 L100 54 Z", b) + line("M100 84 V172", c, 4) + disc(108, 106, 4, c) + disc(108, 128, 4, c) + disc(108, 150, 4, c),
  cup: ({ a, b, c }: Inks) => ring(138, 112, 22, a, 11) + shape("M48 78 H138 V132 Q138 162 108 162 H78 Q48 162 48 132 Z", a) + rect(48, 98, 90, 16, 0, b) + line("M76 64 C70 54 82 48 76 38 M108 64 C102 54 114 48 108 38", c, 5),
  drill: ({ a, b, c }: Inks) => rect(44, 56, 92, 42, 10, a) + shape("M62 96 H98 L106 164 H70 Z", a) + rect(62, 150, 54, 20, 5, c) + rect(136, 66, 20, 22, 3, c) + rect(156, 74, 28, 6, 2, c) + rect(56, 66, 40, 10, 3, b) + rect(104, 100, 10, 18, 4, b),
  dress: ({ a, b, c }: Inks) => line("M82 30 V50 M118 30 V50", c, 6) + shape("M78 46 Q100 62 122 46 L128 92 L158 170 H42 L72 92 Z", a) + rect(70, 88, 60, 12, 3, b) + line("M90 112 L78 164 M110 112 L122 164", c, 3),
  flame: ({ a, b, c }: Inks) => rect(52, 34, 96, 138, 14, c) + shape("M100 58 C134 92 128 132 100 136 C72 132 66 104 84 90 C86 100 94 100 94 92 C94 80 92 70 100 58 Z", a) + shape("M100 104 C114 116 112 132 100 134 C88 132 86 118 100 104 Z", b) + rect(74, 150, 52, 6, 3, b),
  gift: ({ a, b, c }: Inks) => rect(44, 92, 112, 78, 5, a) + rect(36, 70, 128, 28, 5, c) + rect(91, 70, 18, 100, 0, b) + line("M100 70 C70 66 66 36 84 36 C98 36 100 58 100 70 C100 58 102 36 116 36 C134 36 130 66 100 70", b, 7),
  glasses: ({ a, b, c }: Inks) => disc(62, 106, 30, b) + disc(138, 106, 30, b) + ring(62, 106, 30, a, 9) + ring(138, 106, 30, a, 9) + line("M92 100 Q100 92 108 100 M32 98 L20 84 M168 98 L180 84", c, 8),
  hammer: ({ a, b, c }: Inks) => `<g transform="rotate(35 100 100)">${rect(92, 66, 18, 110, 8, a)}${rect(62, 40, 82, 30, 6, c)}${rect(92, 120, 18, 56, 8, b)}</g>`,
  headphones: ({ a, b, c }: Inks) => line("M48 122 V104 C48 30 152 30 152 104 V122", c, 12) + rect(34, 108, 34, 54, 14, a) + rect(132, 108, 34, 54, 14, a) + rect(58, 114, 12, 42, 5, b) + rect(130, 114, 12, 42, 5, b),
  helmet: ({ a, b, c }: Inks) => shape("M34 124 C34 54 160 44 168 124 Q168 132 160 132 H42 Q34 132 34 124 Z", a) + line("M76 66 C66 90 64 104 64 118 M108 58 C104 84 102 100 102 118 M136 70 C138 92 138 104 138 118", b, 9) + line("M56 132 L82 166 L112 132", c, 6),
  house: ({ a, b, c }: Inks) => shape("M28 102 L100 40 L172 102 Z", c) + rect(46, 98, 108, 72, 0, a) + rect(88, 120, 28, 50, 3, b) + rect(58, 114, 20, 20, 2, "#ffffff") + rect(124, 114, 20, 20, 2, "#ffffff"),
  jar: ({ a, b, c }: Inks) => rect(62, 42, 76, 26, 6, c) + shape("M66 66 H134 Q148 76 148 92 V156 Q148 170 134 170 H66 Q52 170 52 156 V92 Q52 76 66 66 Z", a) + rect(52, 98, 96, 44, 0, b) + line("M74 114 H126 M84 126 H116", c, 4),
  kettle: ({ a, b, c }: Inks) => line("M68 66 C68 30 132 30 132 66", c, 10) + shape("M62 64 H138 L154 150 Q156 166 142 166 H58 Q44 166 46 150 Z", a) + shape("M146 96 L176 78 L172 112 L150 124 Z", b) + rect(86, 54, 28, 12, 5, c),
  lamp: ({ a, b, c }: Inks) => shape("M72 36 H128 L150 96 H50 Z", a) + line("M100 96 V158", c, 8) + rect(66, 156, 68, 14, 7, c) + line("M120 96 V118", b, 4) + disc(120, 122, 5, b),
  laptop: ({ a, b, c }: Inks) => rect(46, 50, 108, 78, 7, c) + rect(54, 58, 92, 62, 3, b) + shape("M28 132 H172 L164 150 Q162 154 156 154 H44 Q38 154 36 150 Z", a) + disc(124, 78, 10, a),
  mat: ({ a, b, c }: Inks) => shape("M40 84 H150 V150 Q150 160 140 160 H40 Z", a) + disc(40, 122, 38, c) + disc(40, 122, 26, b) + disc(40, 122, 12, c) + line("M92 98 H136 M92 146 H136", b, 5),
  mountain: ({ a, b, c }: Inks) => disc(146, 62, 18, b) + shape("M18 162 L82 56 L126 126 L142 102 L182 162 Z", a) + shape("M82 56 L102 88 L84 82 L72 94 L62 90 Z", "#ffffff") + rect(18, 160, 164, 10, 4, c),
  necklace: ({ a, b, c }: Inks) => line("M48 36 C50 110 76 126 100 128 C124 126 150 110 152 36", c, 6) + shape("M100 126 L122 150 L100 176 L78 150 Z", a) + shape("M100 126 L110 150 L100 176 L90 150 Z", b),
  paint: ({ a, b, c }: Inks) => line("M56 76 C56 26 144 26 144 76", c, 6) + rect(50, 74, 100, 96, 8, c) + rect(50, 96, 100, 52, 0, a) + shape("M46 66 H154 V78 C146 78 148 108 138 108 C130 108 132 88 122 88 C112 88 114 120 104 120 C94 120 98 84 86 84 H46 Z", b),
  paw: ({ a, b, c }: Inks) => disc(100, 100, 74, b) + shape("M100 98 C126 98 146 142 124 150 C112 154 108 146 100 146 C92 146 88 154 76 150 C54 142 74 98 100 98 Z", a) + disc(62, 98, 14, c) + disc(86, 72, 15, c) + disc(116, 72, 15, c) + disc(140, 98, 14, c),
  pen: ({ a, b, c }: Inks) => `<g transform="rotate(40 100 100)">${rect(86, 22, 28, 108, 10, a)}${rect(86, 78, 28, 14, 0, b)}${shape("M88 130 H112 L100 178 Z", c)}${rect(108, 30, 8, 46, 4, c)}</g>`,
  phone: ({ a, b, c }: Inks) => rect(60, 28, 80, 146, 16, c) + rect(67, 36, 66, 130, 9, a) + disc(88, 74, 22, b) + shape("M67 166 V130 L92 104 L133 146 V157 Q133 166 124 166 Z", b) + disc(118, 60, 8, "#ffffff"),
  plant: ({ a, b, c }: Inks) => shape("M100 118 C60 116 48 84 52 56 C84 62 100 84 100 118 Z", "#4f8a56") + shape("M100 112 C102 66 124 44 152 40 C156 78 138 108 100 112 Z", "#6aa86a") + line("M100 124 V84", "#3c6c42", 5) + shape("M62 118 H138 L128 170 Q127 174 122 174 H78 Q73 174 72 170 Z", a) + rect(58, 112, 84, 18, 4, b) + line("M76 146 H124", c, 4),
  pram: ({ a, b, c }: Inks) => shape("M40 92 A60 60 0 0 1 100 36 V92 Z", b) + shape("M40 92 H148 Q146 136 104 136 H84 Q42 136 40 92 Z", a) + line("M148 92 L166 58 H182 M70 136 L58 156 M122 136 L134 156", c, 7) + ring(58, 160, 13, c, 7) + ring(134, 160, 13, c, 7),
  radio: ({ a, b, c }: Inks) => line("M60 66 L120 26", c, 5) + rect(34, 66, 132, 98, 12, a) + disc(76, 116, 30, c) + disc(76, 116, 18, b) + rect(118, 84, 36, 16, 3, b) + disc(126, 126, 9, c) + disc(148, 126, 9, c),
  ring: ({ a, b, c }: Inks) => ring(100, 124, 42, a, 13) + shape("M100 84 L72 56 L84 36 H116 L128 56 Z", b) + line("M72 56 H128 M84 36 L94 56 L100 84 L106 56 L116 36", c, 3),
  router: ({ a, b, c }: Inks) => line("M62 118 V58 M138 118 V58", c, 8) + line("M80 66 Q100 48 120 66 M88 82 Q100 72 112 82", b, 7) + rect(34, 114, 132, 48, 12, a) + disc(58, 138, 6, b) + disc(78, 138, 6, b) + disc(98, 138, 6, "#ffffff"),
  scarf: ({ a, b, c }: Inks) => shape("M54 50 Q100 84 146 50 L152 74 Q100 110 48 74 Z", a) + shape("M110 78 L142 70 L136 160 H100 Z", a) + line("M106 110 H138 M104 132 H137", b, 9) + line("M104 160 V176 M116 160 V176 M128 160 V176", c, 5),
  screen: ({ a, b, c }: Inks) => rect(26, 42, 148, 98, 8, c) + rect(34, 50, 132, 82, 3, a) + shape("M34 132 V104 L76 72 L112 104 L134 88 L166 114 V132 Z", b) + rect(90, 138, 20, 20, 0, c) + rect(62, 156, 76, 10, 5, c),
  shirt: ({ a, b, c }: Inks) => shape("M74 40 Q100 62 126 40 L164 62 L152 100 L134 92 V166 H66 V92 L48 100 L36 62 Z", a) + line("M74 40 Q100 64 126 40", c, 7) + rect(66, 112, 68, 16, 0, b),
  shoe: ({ a, b, c }: Inks) => shape("M34 78 Q52 92 78 70 L124 112 C150 118 172 122 172 146 H30 Z", a) + rect(26, 142, 150, 18, 8, c) + line("M86 92 L102 80 M100 104 L116 92 M114 114 L128 104", b, 6),
  sim: ({ a, b, c }: Inks) => shape("M58 34 H118 L146 62 V158 Q146 168 136 168 H64 Q54 168 54 158 V38 Q54 34 58 34 Z", a) + rect(72, 92, 56, 52, 7, b) + line("M100 92 V144 M72 110 H92 M72 126 H92 M108 110 H128 M108 126 H128", c, 4),
  sock: ({ a, b, c }: Inks) => shape("M72 34 H118 V100 L150 128 Q162 140 152 156 Q140 170 122 160 L80 132 Q72 126 72 114 Z", a) + rect(72, 34, 46, 18, 3, c) + rect(72, 66, 46, 12, 0, b) + shape("M150 128 Q162 140 152 156 Q140 170 122 160 L132 140 Z", b),
  sofa: ({ a, b, c }: Inks) => rect(44, 58, 112, 64, 16, a) + rect(26, 90, 36, 62, 16, c) + rect(138, 90, 36, 62, 16, c) + rect(56, 104, 88, 40, 8, b) + line("M100 106 V142", c, 3) + rect(44, 150, 10, 16, 3, c) + rect(146, 150, 10, 16, 3, c),
  spade: ({ a, b, c }: Inks) => `<g transform="rotate(28 100 100)">${rect(94, 34, 12, 92, 4, b)}${rect(78, 20, 44, 16, 8, c)}${shape("M72 118 H128 V150 Q128 172 100 186 Q72 172 72 150 Z", a)}</g>`,
  suitcase: ({ a, b, c }: Inks) => line("M78 64 V40 H122 V64", c, 8) + rect(42, 62, 116, 100, 12, a) + rect(62, 62, 12, 100, 0, b) + rect(126, 62, 12, 100, 0, b) + disc(66, 168, 8, c) + disc(134, 168, 8, c),
  sun: ({ a, b, c }: Inks) => disc(136, 66, 28, b) + shape("M18 142 Q56 124 100 142 T182 142 V172 H18 Z", a) + line("M74 142 C72 104 78 84 92 66", c, 7) + shape("M92 66 C72 52 52 58 46 74 C66 70 78 70 92 66 C84 86 88 98 96 104 C102 88 100 76 92 66 C108 66 120 76 122 90 C128 70 112 56 92 66 Z", "#4f8a56"),
  table: ({ a, b, c }: Inks) => rect(26, 84, 148, 18, 6, a) + line("M48 102 L40 166 M152 102 L160 166", c, 10) + shape("M84 84 L88 58 H112 L116 84 Z", b) + disc(100, 48, 12, "#6aa86a"),
  tent: ({ a, b, c }: Inks) => shape("M22 160 L100 44 L178 160 Z", a) + shape("M100 44 L74 160 H126 Z", c) + shape("M100 44 L100 160 H126 Z", b) + line("M100 44 L92 32 M100 44 L108 32", c, 5),
  ticket: ({ a, b, c }: Inks) => `<g transform="rotate(-12 100 100)">${shape("M28 66 H172 V90 A12 12 0 0 0 172 114 V138 H28 V114 A12 12 0 0 0 28 90 Z", a)}${line("M132 72 V80 M132 92 V100 M132 112 V120 M132 130 V134", "#ffffff", 4)}${rect(46, 84, 64, 12, 3, b)}${rect(46, 106, 40, 10, 3, c)}</g>`,
  tie: ({ a, b, c }: Inks) => shape("M84 32 H116 L110 58 H90 Z", c) + shape("M90 58 H110 L126 140 L100 176 L74 140 Z", a) + line("M86 90 L116 76 M82 114 L120 98 M78 138 L124 120", b, 7),
  toy: ({ a, b, c }: Inks) => rect(34, 92, 66, 52, 6, a) + rect(104, 72, 54, 72, 6, b) + rect(48, 66, 16, 28, 3, c) + rect(116, 84, 30, 24, 4, "#ffffff") + disc(58, 150, 17, c) + disc(130, 150, 17, c) + disc(58, 150, 6, "#ffffff") + disc(130, 150, 6, "#ffffff"),
  trousers: ({ a, b, c }: Inks) => shape("M64 34 H136 L146 170 H112 L100 84 L88 170 H54 Z", a) + rect(64, 34, 72, 16, 2, c) + line("M76 60 L72 76 M124 60 L128 76", b, 5),
  tyre: ({ a, b, c }: Inks) => disc(100, 102, 68, c) + disc(100, 102, 42, b) + disc(100, 102, 12, c) + line("M100 66 V90 M100 114 V138 M64 102 H88 M112 102 H136", a, 9) + ring(100, 102, 58, a, 4),
  umbrella: ({ a, b, c }: Inks) => line("M100 92 V146 C100 170 128 170 128 150", c, 8) + shape("M26 98 C26 30 174 30 174 98 Q156 84 138 98 Q118 84 100 98 Q82 84 62 98 Q44 84 26 98 Z", a) + shape("M100 46 C84 60 64 76 62 98 Q82 84 100 98 Q118 84 138 98 C136 76 116 60 100 46 Z", b),
  washer: ({ a, b, c }: Inks) => rect(44, 30, 112, 142, 10, a) + rect(44, 30, 112, 30, 10, c) + disc(62, 45, 7, b) + rect(104, 40, 40, 10, 3, b) + disc(100, 116, 40, c) + disc(100, 116, 29, b) + shape("M72 118 Q86 108 100 118 T128 118 A29 29 0 0 1 72 118 Z", "#ffffff"),
  watch: ({ a, b, c }: Inks) => rect(82, 24, 36, 152, 8, a) + disc(100, 100, 44, c) + disc(100, 100, 34, b) + line("M100 100 V78 M100 100 L116 108", c, 5),
  weight: ({ a, b, c }: Inks) => line("M76 86 C64 34 136 34 124 86", c, 14) + shape("M64 92 Q100 62 136 92 Q158 128 140 158 Q136 166 126 166 H74 Q64 166 60 158 Q42 128 64 92 Z", a) + disc(100, 124, 20, b),
} satisfies Record<string, (inks: Inks) => string>;

export type Drawing = keyof typeof drawings;

/** The drawing as an SVG file of its own, on a field of the given colour with a quiet pattern. */
export function drawingSvg(drawing: Drawing, inks: Inks, field: string, pattern: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">${rect(0, 0, 200, 200, 0, field)}${backdrop(pattern, inks)}${drawings[drawing](inks)}</svg>`;
}

function backdrop(pattern: number, { a, b }: Inks): string {
  const faint = (content: string): string => `<g opacity="0.1">${content}</g>`;
  switch (pattern) {
    case 0:
      return faint(disc(100, 104, 88, a));
    case 1:
      return faint(shape("M0 138 H200 V200 H0 Z", a));
    case 2:
      return faint(shape("M0 200 L200 40 V200 Z", b));
    default:
      return faint(line("M20 20 H180 V180 H20 Z", a, 5));
  }
}
